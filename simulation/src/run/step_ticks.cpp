// SPDX-License-Identifier: Apache-2.0
#include "step_ticks.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::simulation::replication {

StepTicks divide(std::int64_t elapsed, double ideal, double slowdown) {
  std::int64_t productive = std::min<std::int64_t>(elapsed, std::llround(ideal));
  const std::int64_t slow =
      std::min<std::int64_t>(elapsed - productive, std::llround(ideal * (slowdown - 1.0)));
  // Both ends of a flow are rounded to a tick, which is no stall.
  if (elapsed - productive - slow <= 2) productive = elapsed - slow;
  return {productive, slow, elapsed - productive - slow};
}

}  // namespace railwright::simulation::replication
