// SPDX-License-Identifier: Apache-2.0
// Times of the failures of jobs and storage, each from a random stream of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "railwright/core/sim/random.hpp"
#include "railwright/core/sim/time.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "run_model.hpp"

namespace railwright::simulation::replication {

/// Returns the tick at or after a time since the start of the clock; nothing if the clock may end
/// earlier.
std::optional<core::RunTime> within_clock(core::Duration when);

/// Failures by owner, a job's number or, for storage, the number of jobs, and by failure rate of
/// the fleet. A draw of one owner and rate changes no other.
class FailureClocks {
 public:
  FailureClocks(const RunModel& model, std::uint64_t replication);

  /// Returns the number of failure rates of an owner; 0 without a fleet.
  [[nodiscard]] std::size_t num_rates(std::size_t owner) const { return processes_[owner].size(); }

  /// Draws the owner's next failure at a rate; nothing if it comes after the end of the clock.
  std::optional<core::RunTime> next_failure(std::size_t owner, std::size_t rate) {
    return within_clock(processes_[owner][rate].next());
  }

  [[nodiscard]] bool has_slow_nodes() const { return !slow_random_.empty(); }

  /// Draws the time until the next of a job's nodes turns slow.
  core::Duration until_slow_node(std::size_t job);

 private:
  const RunModel& model_;
  std::vector<std::vector<models::FailureProcess>> processes_;  // by owner and rate
  std::vector<core::RandomStream> slow_random_;                 // by job
};

}  // namespace railwright::simulation::replication
