// SPDX-License-Identifier: Apache-2.0
// Tables of the entries that configurations share, made by the models of the simulation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "../closed_form/bucket_bytes.hpp"
#include "../closed_form/stage_partition.hpp"
#include "../closed_form/step_terms.hpp"
#include "../step/few_replicas.hpp"
#include "../step/layer_passes.hpp"
#include "railwright/core/shared_table.hpp"
#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "table_entries.hpp"

namespace railwright::simulation {

/// Treatment of entries that other threads are making.
enum class Others : std::uint8_t { kAwaited, kLeft };

/// Whether the tables cover the scenario. Vision models have no layer kinds, prompts train nothing
/// in layers, and offloaded state moves at rates that are not in the tables.
[[nodiscard]] bool is_in_tables(const Scenario& scenario);

struct Estimator::Tables {
  explicit Tables(CheckedScenario scenario);

  [[nodiscard]] std::uint64_t layer_key(const Configuration& c) const;
  [[nodiscard]] std::uint64_t network_key(const Configuration& c) const;
  [[nodiscard]] std::uint64_t calls_key(const Configuration& c) const;
  [[nodiscard]] std::uint64_t layout_key(const Configuration& c) const;
  [[nodiscard]] std::uint64_t division_key(const Configuration& c) const;
  /// Returns what forbids an estimate whatever the tables hold, or kOk.
  [[nodiscard]] EstimateStatus status(const Configuration& c) const;

  /// Returns the entries of `c`, or why some are missing.
  [[nodiscard]] std::variant<MemoryEntries, EstimateStatus> find(const Configuration& c) const;

  void prepare_memory(std::span<const Configuration> configurations, int num_threads);
  /// Needs the entries of memory.
  void prepare_calls(std::span<const Configuration> configurations, int num_threads);
  void prepare_networks(std::span<const Configuration> configurations, int num_threads,
                        Others others);
  void prepare_least_networks(Transfers transfers, std::span<const Configuration> configurations,
                              int num_threads);
  /// Returns the entry of these transfers; null if it is not prepared.
  [[nodiscard]] const NetworkEntry* find_least(Transfers transfers, const Configuration& c) const;

  CheckedScenario base;
  bool is_regular = false;        ///< inner stages are identical, however many chunks they have
  core::Accelerator accelerator;  ///< at the clock that it runs at
  models::MemoryRules memory_rules;
  BucketRules buckets;
  double memory_capacity = 0.0;
  int accelerators_of_node = 1;
  core::SharedTable<LayerEntry> layers;
  core::SharedTable<NetworkEntry> networks;
  core::SharedTable<NetworkEntry> few_replicas;  ///< lower bounds, see Transfers
  core::SharedTable<NetworkEntry> syncs;
  core::SharedTable<CallsEntry> calls;
  core::SharedTable<LayoutEntry> layouts;
  core::SharedTable<DivisionEntry> divisions;

 private:
  /// Builds the fabric, which memory and computation do without, at the first call.
  [[nodiscard]] const core::Fabric& fabric() const;
  /// Whether no group of neighbours calls faster than the first: packed nodes without failures,
  /// and routes that no hash draws. The first are never farther apart than the others.
  [[nodiscard]] bool has_like_groups() const;
  /// Returns a configuration with a batch that every layout divides; no entry depends on the number
  /// of micro-batches.
  [[nodiscard]] Configuration with_any_batch_of(Configuration c) const;
  [[nodiscard]] CheckedScenario with_any_batch(const Configuration& c) const;
  /// Returns those of the configurations that have their entries of memory.
  [[nodiscard]] std::vector<Configuration> with_memory(
      std::span<const Configuration> configurations) const;
  [[nodiscard]] std::unique_ptr<LayoutEntry> make_layout(const Configuration& c) const;
  [[nodiscard]] std::unique_ptr<DivisionEntry> make_division(const Configuration& c) const;
  /// Changes `checked`, a copy of `base`, to what it needs.
  [[nodiscard]] std::unique_ptr<LayerEntry> make_layers(const Configuration& c,
                                                        CheckedScenario& checked) const;
  void fill_layers(std::span<const Configuration> configurations, int num_threads);
  [[nodiscard]] std::unique_ptr<CallsEntry> make_calls(const Configuration& c) const;
  [[nodiscard]] std::uint64_t least_key(Transfers transfers, const Configuration& c) const;
  [[nodiscard]] std::unique_ptr<NetworkEntry> make_network(const Configuration& c) const;
  [[nodiscard]] std::unique_ptr<NetworkEntry> make_least_network(Transfers transfers,
                                                                 const Configuration& c) const;
  [[nodiscard]] std::unique_ptr<NetworkEntry> network_of(const Configuration& c,
                                                         const StepCosts& costs) const;

  mutable std::once_flag is_compared_;
  mutable bool has_like_groups_ = false;
  mutable std::once_flag is_built_;
  mutable std::optional<topologies::BuiltCluster> built_;
  mutable std::vector<double> capacity_;  ///< of the links of `built_`
  mutable KnownSyncs known_syncs_;        ///< of lower bounds
};

}  // namespace railwright::simulation
