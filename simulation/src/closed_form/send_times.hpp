// SPDX-License-Identifier: Apache-2.0
// Transfers between the stages of a pipeline: each boundary in isolation, and all of them at once.
#pragma once

#include <vector>

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Transfers of a stage to its neighbours, all replicas at once.
struct SendTimes {
  core::Duration forward;
  core::Duration backward;
  core::Duration forward_met;  ///< `forward` while every stage sends both ways
  core::Duration backward_met;
};

/// Returns the times by stage; empty without a pipeline.
std::vector<SendTimes> send_times(const StepCosts& costs);

/// Time of the replica with the longest path through all stages, relative to a path through the
/// slowest replica of each stage.
struct SlowestWay {
  double sends = 1.0;
  double tensor_calls = 1.0;
};

SlowestWay slowest_way(const StepCosts& costs);

}  // namespace railwright::simulation
