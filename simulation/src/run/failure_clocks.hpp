// SPDX-License-Identifier: Apache-2.0
// Times of the failures of jobs and storage, each from a random stream of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/core/sim/time.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "run_model.hpp"

namespace railwright::simulation::replication {

/// Returns the tick at or after a time since the start of the clock; nothing if the clock may end
/// earlier.
std::optional<core::RunTime> within_clock(core::Duration when);

/// Parts of a job that turn slow, and the job with them, until they are found.
enum class SlowPart : std::uint8_t { kNode, kLink };
inline constexpr std::array kSlowParts{SlowPart::kNode, SlowPart::kLink};

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

  [[nodiscard]] bool has_slow(SlowPart part) const {
    return !slow_random_[core::index(part)].empty();
  }
  /// Draws the time until the next such part of a job turns slow.
  core::Duration until_slow(SlowPart part, std::size_t job);

  /// Returns how many of a job's nodes are lemons.
  [[nodiscard]] std::size_t num_lemons(std::size_t job) const {
    return lemons_.empty() ? 0 : lemons_[job].size();
  }
  /// Draws the time until a job's lemon fails again; infinite if it has been removed.
  core::Duration until_lemon_fails(std::size_t job, std::size_t lemon);

 private:
  const RunModel& model_;
  std::vector<std::vector<models::FailureProcess>> processes_;                  // by owner and rate
  std::array<std::vector<core::RandomStream>, kSlowParts.size()> slow_random_;  // by part and job
  std::vector<std::vector<models::LemonNode>> lemons_;                          // by job
};

}  // namespace railwright::simulation::replication
