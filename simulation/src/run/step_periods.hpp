// SPDX-License-Identifier: Apache-2.0
// Times from step to step behind a job's data loaders.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "run_model.hpp"

namespace railwright::simulation::replication {

/// Periods of steps, each computed once: with jitter it takes thousands of draws.
class StepPeriods {
 public:
  explicit StepPeriods(std::uint64_t seed) : seed_(seed) {}

  /// Returns the seconds from step to step, without shared links, of steps that take `slowdown`
  /// times `step_seconds` by themselves. The reads must outlive this.
  double of(const StepReads& reads, double step_seconds, double slowdown) {
    const double seconds = step_seconds * slowdown;
    if (seconds == step_seconds && reads.period > 0.0) return reads.period;
    if (reads.loader.jitter == 0.0) return models::step_period(reads.loader, seconds, seed_);
    const auto [known, is_new] = periods_.try_emplace({&reads, seconds});
    if (is_new) known->second = models::step_period(reads.loader, seconds, seed_);
    return known->second;
  }

 private:
  std::uint64_t seed_;
  std::map<std::pair<const StepReads*, double>, double> periods_;
};

}  // namespace railwright::simulation::replication
