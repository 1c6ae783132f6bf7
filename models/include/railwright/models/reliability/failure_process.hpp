// SPDX-License-Identifier: Apache-2.0
// Failure times of components, as one random process per kind.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/hardware/node.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/reliability/reliability.hpp"

namespace railwright::models {

/// Whether a component belongs to all jobs of a cluster, and not to the nodes of one.
inline bool is_shared(Component component) {
  return component == Component::kStorageNode || component == Component::kPower;
}

/// The parts of a job, or of a whole cluster.
struct FleetSize {
  int num_nodes = 0;
  int accelerators_per_node = 0;
  int nics_per_node = 0;  ///< NICs of the scale-out fabric
  int num_storage_nodes = 0;
  int trays_per_node = 1;  ///< each fails as a node of its own
};

/// Returns the parts of so many nodes, without storage nodes.
FleetSize fleet_of(const core::ComputeNode& node, int num_nodes);

/// Returns the number of accelerators, NICs, nodes or their trays, links (one per NIC), trays that
/// run the software, or storage nodes.
std::int64_t num_components(Component component, const FleetSize& fleet);
/// Returns the same of a rate: of switches, PDUs, racks and coolant loops one for each `num_nodes`
/// nodes, rounded up.
std::int64_t num_components(const FailureRate& rate, const FleetSize& fleet);

/// Computes the mean number of failures of `num_components` equal components after `span`:
///   n * (((a + t) / eta)^k - (a / eta)^k)
/// with n the components, a their age, eta `mtbf`, k `shape` [@crow1975]; with k = 1,
/// n * t / mtbf.
double expected_failures(const FailureRate& rate, std::int64_t num_components, core::Duration span);

/// Draws failures of `num_components` components of one kind, by the power-law process of repairs
/// that leave a component's age unchanged [@crow1975], whose mean is `expected_failures`. With
/// shape 1 it is a Poisson process. The same seed and stream give the same times on every platform.
class FailureProcess {
 public:
  FailureProcess(const FailureRate& rate, std::int64_t num_components, std::uint64_t seed,
                 std::uint64_t stream);

  /// Returns the time of the next failure of any component since the start of the clock, never
  /// before the last one. Infinite if nothing fails: no components, or an infinite mtbf.
  core::Duration next();

 private:
  core::RandomStream random_;
  double num_components_ = 0.0;
  double scale_ = 0.0;
  double shape_ = 1.0;
  double age_ = 0.0;
  double scaled_age_to_shape_ = 0.0;
  double failures_ = 0.0;
  double last_ = 0.0;
};

/// Failures of one lemon node, at a constant rate until it is removed.
class LemonNode {
 public:
  LemonNode(int node, std::uint64_t seed, std::uint64_t stream)
      : node_(node), random_(seed, stream) {}

  /// Returns its index among the nodes, or their trays, that it was drawn from.
  [[nodiscard]] int node() const { return node_; }
  /// Draws the time from its last failure, or the start, to the next one; infinite if it has been
  /// removed.
  core::Duration next(const LemonNodes& plan);

 private:
  int node_;
  core::RandomStream random_;
  int num_failures_ = 0;
};

/// Draws which nodes of a job or a cluster, or their trays, are lemons: each by itself with their
/// share. Each fails by a stream of its own.
std::vector<LemonNode> draw_lemons(const LemonNodes& plan, const FleetSize& fleet,
                                   std::uint64_t seed, std::uint64_t stream);

/// Computes the rate of interruptions of a job per second: failures of all its parts except storage
/// nodes, at their rate at the start of the clock, n * (k / eta) * (a / eta)^(k - 1), and those of
/// its mean number of lemons.
double interruptions_per_second(const Reliability& reliability, const FleetSize& job);

/// Computes the mean number of interruptions of a job that runs for `span`: `expected_failures` of
/// all parts except storage nodes, and of each lemon the mean of min(N, removed_after) with N
/// Poisson of mean span / mtbf.
double expected_interruptions(const Reliability& reliability, const FleetSize& job,
                              core::Duration span);

/// Returns the inverse of `interruptions_per_second`; infinite if nothing fails.
core::Duration mean_time_to_interruption(const Reliability& reliability, const FleetSize& job);

}  // namespace railwright::models
