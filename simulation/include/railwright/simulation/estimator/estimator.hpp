// SPDX-License-Identifier: Apache-2.0
// Estimates of many configurations of one job on one cluster, from tables that they share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "railwright/models/memory/memory.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::simulation {

/// What differs between the configurations of a job.
struct Configuration {
  int tp = 1;
  int cp = 1;
  int ep = 1;
  int etp = 1;  ///< without experts 1
  int pp = 1;
  int virtual_stages = 1;
  int micro_batch = 1;
  std::int64_t global_batch = 1;
  int zero_stage = 0;
  models::Recompute recompute = models::Recompute::kNone;
  models::Schedule schedule;
  bool sequence_parallel = false;
};
Configuration configuration_of(const CheckedScenario& checked);
/// The scenario with this configuration; its layout stays as it was where the numbers do not
/// divide.
CheckedScenario with_configuration(const CheckedScenario& checked,
                                   const Configuration& configuration);

enum class EstimateStatus : std::uint8_t {
  kOk,
  kDoesNotDivide,  ///< layers, heads, accelerators or batch
  kNotTogether,    ///< collectives of every micro-batch with a pipeline, GPipe without one
  kNotInTables,    ///< split backward passes, uneven chunks, recompute by block, vision models,
                   ///< prompts, offload: estimate_step
  kNotPrepared,    ///< the tables have no such entry yet
};

/// What keeps the closed form from being exact.
enum class Approximation : std::uint8_t {
  kNone,              ///< nothing overlaps; stages that share no links, one chunk each
  kPipeline,          ///< chunks that are not alike, or sends of several stages on one link
  kOverlaps,          ///< collectives or sends beside computation and its calls
  kCrowdedSends,      ///< both of these, stages sharing links
  kLayerCollectives,  ///< gathers and reductions of every layer that go along with computation
  kCrowdedCalls,      ///< as kOverlaps, where calls within passes leave a node too
};
/// By how much a step time may differ from the simulation: the largest differences over the random
/// configurations of the tests, rounded up. Few of those draw crowded sends and collectives of
/// layers, whose bounds are of the grid of clusters in docs/models/schedule.md.
inline constexpr std::array<double, 6> kErrorBounds{0.015, 0.04, 0.05, 0.40, 0.065, 0.30};

/// What is known of a configuration before any transfer is.
struct MemoryEstimate {
  EstimateStatus status = EstimateStatus::kOk;
  bool fits = false;  ///< in an accelerator's memory
  int stage = 0;      ///< that needs most
  core::DataSize memory;
  models::MemoryBytes lines{};
  /// Of computation, calls within passes, optimizer and bubble, were every other transfer free: no
  /// estimate is below it.
  core::Duration min_step_time;
};

struct Estimate {
  EstimateStatus status = EstimateStatus::kOk;
  Approximation approximation = Approximation::kNone;
  bool fits = false;         ///< in an accelerator's memory
  int memory_stage = 0;      ///< the stage that needs most
  double error_bound = 0.0;  ///< of `approximation`
  core::Duration step_time;
  core::DataSize memory;
  Breakdown breakdown;
  models::MemoryBytes memory_lines{};
};

/// Step time in the closed form of estimate_step (of the fabric as it is) and memory of the stage
/// that needs most. Tables: layers by tp, cp, ep, etp, sequence parallelism, micro-batch and
/// recompute; transfers by tp, cp, ep, etp, pp, sequence parallelism, micro-batch and whether
/// ZeRO divides; layouts by tp, cp, ep, etp, pp and sequence parallelism; division by pp and
/// virtual stages. Transfers take milliseconds to make, all else microseconds. Any number of
/// threads may prepare and ask at the same time; what counts entries wants none to prepare.
class Estimator {
 public:
  /// Builds the fabric. What Configuration does not say is the scenario's.
  explicit Estimator(CheckedScenario base);
  Estimator(Estimator&&) noexcept;
  Estimator& operator=(Estimator&&) noexcept;
  ~Estimator();

  /// Makes the entries that configurations need, on `num_threads` threads (0: as many as there are
  /// cores).
  void prepare(std::span<const Configuration> configurations, int num_threads = 0);
  /// Its status, kOk where an estimate can be asked for.
  EstimateStatus prepare(const Configuration& configuration);
  /// As far as no other thread is making them: `prepare` then waits for the rest.
  void prepare_unclaimed(std::span<const Configuration> configurations);
  /// As `prepare`, for `memory` alone.
  void prepare_memory(std::span<const Configuration> configurations, int num_threads = 0);

  /// These allocate nothing and wait for nothing.
  [[nodiscard]] Estimate estimate(const Configuration& configuration) const noexcept;
  [[nodiscard]] MemoryEstimate memory(const Configuration& configuration) const noexcept;

  /// Entries of all tables.
  [[nodiscard]] std::size_t num_entries() const;
  /// Of those, the ones of transfers.
  [[nodiscard]] std::size_t num_transfer_entries() const;
  /// Whether `prepare` has to make transfers for it.
  [[nodiscard]] bool needs_transfers(const Configuration& configuration) const;

  struct Tables;

 private:
  std::unique_ptr<Tables> tables_;
};

}  // namespace railwright::simulation
