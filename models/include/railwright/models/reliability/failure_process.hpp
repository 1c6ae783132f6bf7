// SPDX-License-Identifier: Apache-2.0
// When components fail: many of one kind as one random process.
#pragma once

#include <cstdint>

#include "railwright/core/sim/random.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/reliability/reliability.hpp"

namespace railwright::models {

/// What a job, or a whole cluster, consists of.
struct FleetSize {
  int num_nodes = 0;
  int accelerators_per_node = 0;
  int nics_per_node = 0;  ///< of the scale-out fabric
  int num_storage_nodes = 0;
};

/// Accelerators, NICs, nodes, links (one a NIC), nodes that run the software, or storage nodes.
std::int64_t num_components(Component component, const FleetSize& fleet);

/// Failures of `num_components` equal ones after `span`, on average:
/// n * (((a + t) / eta)^k - (a / eta)^k), n the components, a their age, eta `mtbf`, k `shape`
/// [@crow1975]; with k = 1, n * t / mtbf.
double expected_failures(const FailureRate& rate, std::int64_t num_components, core::Duration span);

/// Failures of `num_components` components of one kind: the power-law process of repairs that leave
/// a component's age as it was [@crow1975], whose mean is `expected_failures`. With shape 1 it is a
/// Poisson process. The same seed and stream give the same times on every platform.
class FailureProcess {
 public:
  FailureProcess(const FailureRate& rate, std::int64_t num_components, std::uint64_t seed,
                 std::uint64_t stream);

  /// The next failure of any of them, since the start of the clock; never before the last one.
  /// Infinite where nothing fails: no components, or an infinite mtbf.
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

/// What stops a job: failures of all of it but storage nodes, each at its rate at the start of the
/// clock, n * (k / eta) * (a / eta)^(k - 1). Per second.
double interruptions_per_second(const Reliability& reliability, const FleetSize& job);

/// Interruptions of a job that runs for `span`, on average: `expected_failures` of all of it but
/// storage nodes.
double expected_interruptions(const Reliability& reliability, const FleetSize& job,
                              core::Duration span);

/// The inverse of `interruptions_per_second`; infinite where nothing fails.
core::Duration mean_time_to_interruption(const Reliability& reliability, const FleetSize& job);

}  // namespace railwright::models
