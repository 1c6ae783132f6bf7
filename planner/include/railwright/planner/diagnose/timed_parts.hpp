// SPDX-License-Identifier: Apache-2.0
// Parts of a step that a training log times, beside the same parts of the prediction.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::planner {

/// A timer of the training stack, for one step.
struct StepTimer {
  std::string name;  ///< "forward-compute"
  core::Duration time;
};

/// A part of a step as it was timed and as it is predicted.
struct TimedPart {
  std::string what;    ///< "passes of micro-batches"
  std::string timers;  ///< their names in the log
  core::Duration measured;
  core::Duration predicted;

  [[nodiscard]] core::Duration excess() const { return measured - predicted; }
};

/// Compares the parts that Megatron-LM's timers tell, the one that is furthest off first.
std::vector<TimedPart> timed_parts(const std::vector<StepTimer>& timers,
                                   const simulation::Breakdown& predicted);

}  // namespace railwright::planner
