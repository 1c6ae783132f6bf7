// SPDX-License-Identifier: Apache-2.0
// Estimates of many configurations of one job on one cluster, from tables that they share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "railwright/models/memory/memory.hpp"
#include "railwright/simulation/closed_form/closed_form_error.hpp"
#include "railwright/simulation/estimator/configuration.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::simulation {

enum class EstimateStatus : std::uint8_t {
  kOk,
  kDoesNotDivide,  ///< layers, heads, accelerators or batch are not divisible, or out of range
  kNotTogether,    ///< collectives in every micro-batch with a pipeline, or a schedule other than
                   ///< 1F1B without one
  kNotInTables,  ///< split backward passes, uneven chunks, recompute of some layers, vision models,
                 ///< prompts, offload, too many kinds of stages: use estimate_step
  kNotPrepared,  ///< the tables have no such entry yet
};

/// Memory and minimum step time of a configuration, known before its transfers are prepared.
struct MemoryEstimate {
  EstimateStatus status = EstimateStatus::kOk;
  bool fits = false;  ///< in an accelerator's memory
  int stage = 0;      ///< the stage that needs most
  core::DataSize memory;
  models::MemoryBytes lines{};
  /// Lower bound of every estimate: computation, optimizer and bubble, and calls within passes if
  /// they are prepared; all other transfers are free.
  core::Duration min_step_time;
};

/// Transfers that lower bounds are made of.
enum class Transfers : std::uint8_t {
  kSyncs,        ///< one group of each collective that keeps replicas alike; all others are free
  kFewReplicas,  ///< those, and of the first replica and of those in its calls
};

struct NetworkEntry;

struct Estimate {
  EstimateStatus status = EstimateStatus::kOk;
  Approximation approximation = Approximation::kNone;
  bool fits = false;         ///< in an accelerator's memory
  int memory_stage = 0;      ///< the stage that needs most
  double error_bound = 0.0;  ///< largest error known of such steps, see closed_form_error()
  core::Duration step_time;
  core::DataSize memory;
  Breakdown breakdown;
  models::MemoryBytes memory_lines{};
};

/// Estimates the step time of the scenario's fabric, in the closed form of estimate_step, and the
/// memory of the stage that needs most. kKnobs says which settings the entries of its tables depend
/// on: layers, transfers, calls, layouts and divisions. Transfers take milliseconds to make, calls
/// too on thousands of accelerators, all other entries microseconds. Thread-safe, except
/// num_entries() and num_transfer_entries(), which must not run while another thread prepares.
class Estimator {
 public:
  /// Settings that Configuration lacks come from the scenario. Builds the fabric for transfers.
  explicit Estimator(CheckedScenario base);
  Estimator(Estimator&&) noexcept;
  Estimator& operator=(Estimator&&) noexcept;
  ~Estimator();

  /// Makes the entries that configurations need, on `num_threads` threads (0: one per core).
  void prepare(std::span<const Configuration> configurations, int num_threads = 0);
  /// Prepares one configuration and returns its status: kOk if it can be estimated.
  EstimateStatus prepare(const Configuration& configuration);
  /// Prepares, but skips the transfers that other threads are making; `prepare` waits for those.
  void prepare_unclaimed(std::span<const Configuration> configurations);
  /// Makes only the entries that `memory` needs.
  void prepare_memory(std::span<const Configuration> configurations, int num_threads = 0);
  /// Makes calls, which only raise the lower bound of `memory`, for configurations that have it.
  void prepare_calls(std::span<const Configuration> configurations, int num_threads = 0);
  /// Makes these transfers, for `least_step_time`: in a fraction of the time of all.
  void prepare_least(Transfers transfers, std::span<const Configuration> configurations,
                     int num_threads = 0);

  /// Estimates a prepared configuration. Neither this nor `memory` allocates or waits.
  [[nodiscard]] Estimate estimate(const Configuration& configuration) const noexcept;
  [[nodiscard]] MemoryEstimate memory(const Configuration& configuration) const noexcept;
  /// Returns the estimate with these transfers, which no others slow down: a lower bound, but for
  /// the rounding, of `estimate`. Zero if it is not prepared.
  [[nodiscard]] core::Duration least_step_time(Transfers transfers,
                                               const Configuration& configuration) const noexcept;

  /// Returns the number of entries in all tables.
  [[nodiscard]] std::size_t num_entries() const;
  /// Returns the number of transfer entries among them.
  [[nodiscard]] std::size_t num_transfer_entries() const;
  /// Whether `prepare_least` has to make transfers for `configuration`.
  [[nodiscard]] bool needs_least(Transfers transfers, const Configuration& configuration) const;
  /// Whether `prepare` has to make transfers for `configuration`.
  [[nodiscard]] bool needs_transfers(const Configuration& configuration) const;

  struct Tables;

 private:
  [[nodiscard]] Estimate estimate_with(const NetworkEntry* network,
                                       const Configuration& configuration) const noexcept;

  std::unique_ptr<Tables> tables_;
};

}  // namespace railwright::simulation
