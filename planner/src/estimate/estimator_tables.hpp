// SPDX-License-Identifier: Apache-2.0
// The entries that configurations share, made by the models of the simulation.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "../step/layer_passes.hpp"
#include "bucket_bytes.hpp"
#include "division.hpp"
#include "meetings.hpp"
#include "railwright/core/shared_table.hpp"
#include "railwright/planner/estimate/estimator.hpp"
#include "terms.hpp"

namespace railwright::planner {

/// Layers of each kind, embedding and head on one rank.
struct LayerEntry {
  LayerPasses passes;
  Overlaps overlaps;
  std::array<double, models::kNumLayerKinds> activations{};
  std::array<double, models::kNumLayerKinds> whole_activations{};  ///< of a layer computed again
  std::array<models::ShardParameters, models::kNumLayerKinds> held;
  std::array<models::ShardParameters, models::kNumLayerKinds> trained;
  double held_by_embedding = 0.0;
  double held_by_head = 0.0;
  double trained_by_embedding = 0.0;
  double trained_by_head = 0.0;
  double logits = 0.0;
  core::Duration optimizer_per_parameter;
  core::Duration cast_per_parameter;
};

/// Transfers of a layout for one micro-batch.
struct NetworkEntry {
  NetworkTerms terms;
  std::vector<std::uint32_t> stage_class;  ///< of Division, by class of `terms`
  std::array<core::Duration, kNumLayerCalls> longest_calls{};
  std::array<double, kNumLayerCalls> call_bytes{};
  double send_bytes = 0.0;
  StepRules rules;
  std::array<bool, kNumSyncs> has_sync{};
  Meetings meetings;
};

struct DivisionEntry {
  bool is_valid = false;
  Division division;
};

/// Accelerators by rank, whatever the pipeline's chunks and micro-batches are.
struct LayoutEntry {
  bool is_valid = false;
  models::Layout layout;
};

/// The least that calls within passes take, wherever the pipeline puts them.
struct CallsEntry {
  std::array<core::Duration, kNumLayerCalls> fastest{};
};

/// All that memory and computation of a configuration need.
struct MemoryEntries {
  const LayerEntry& layers;
  const models::Layout& layout;  ///< but for micro-batches and virtual stages
  const Division& division;
  const CallsEntry& calls;
  std::int64_t num_microbatches = 1;
};

/// Entries that other threads are making.
enum class Others : std::uint8_t { kAwaited, kLeft };

struct Estimator::Tables {
  explicit Tables(CheckedScenario scenario);

  [[nodiscard]] std::uint64_t layer_key(const Configuration& c) const;
  [[nodiscard]] std::uint64_t network_key(const Configuration& c) const;
  [[nodiscard]] static std::uint64_t calls_key(const Configuration& c);
  [[nodiscard]] static std::uint64_t layout_key(const Configuration& c);
  [[nodiscard]] static std::uint64_t division_key(const Configuration& c);
  /// What forbids an estimate whatever the tables hold.
  [[nodiscard]] EstimateStatus status(const Configuration& c) const;

  /// What there is of it, or why there is not enough.
  [[nodiscard]] std::variant<MemoryEntries, EstimateStatus> find(const Configuration& c) const;

  void prepare_memory(std::span<const Configuration> configurations, int num_threads);
  void prepare_networks(std::span<const Configuration> configurations, int num_threads,
                        Others others);

  CheckedScenario base;
  topologies::BuiltCluster built;
  bool is_regular = false;  ///< all stages but the ends are alike however many chunks they have
  models::MemoryRules memory_rules;
  BucketRules buckets;
  double memory_capacity = 0.0;
  int accelerators_of_node = 1;
  core::SharedTable<LayerEntry> layers;
  core::SharedTable<NetworkEntry> networks;
  core::SharedTable<CallsEntry> calls;
  core::SharedTable<LayoutEntry> layouts;
  core::SharedTable<DivisionEntry> divisions;

 private:
  /// With a batch that every layout divides, since no entry depends on how many micro-batches
  /// there are.
  [[nodiscard]] CheckedScenario with_any_batch(Configuration c) const;
  [[nodiscard]] std::unique_ptr<LayoutEntry> make_layout(const Configuration& c) const;
  [[nodiscard]] std::unique_ptr<DivisionEntry> make_division(const Configuration& c) const;
  [[nodiscard]] std::unique_ptr<LayerEntry> make_layers(const Configuration& c) const;
  [[nodiscard]] std::unique_ptr<CallsEntry> make_calls(const Configuration& c) const;
  [[nodiscard]] std::unique_ptr<NetworkEntry> make_network(const Configuration& c) const;
};

}  // namespace railwright::planner
