// SPDX-License-Identifier: Apache-2.0
// Ticks that steps took, until it is known whether they count.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace railwright::simulation::replication {

/// Ticks of steps, of what slow steps add to them, and of stalls.
using StepTicks = std::array<std::int64_t, 3>;

/// Adds ticks to a sum and resets them.
inline void add(StepTicks& ticks, StepTicks& sum) {
  for (std::size_t i = 0; i < ticks.size(); ++i) sum[i] += std::exchange(ticks[i], 0);
}

[[nodiscard]] inline std::int64_t sum(const StepTicks& ticks) {
  return ticks[0] + ticks[1] + ticks[2];
}

/// Divides the ticks that steps took. `ideal` is the number of ticks at full speed, of which
/// `slowdown` times as many are no stall.
StepTicks divide(std::int64_t elapsed, double ideal, double slowdown);

}  // namespace railwright::simulation::replication
