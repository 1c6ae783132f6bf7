// SPDX-License-Identifier: Apache-2.0
// Changes of one setting of a job that keep its model, batch and accelerators. Some may be illegal.
#pragma once

#include <vector>

#include "railwright/simulation/scenario/scenario_source.hpp"

namespace railwright::simulation {

/// Returns moves that may take memory from an accelerator: half the micro-batch and less, more
/// recompute, higher ZeRO stages, twice the ranks of a dimension and more, and a loss in chunks.
std::vector<Change> moves_for_memory(const Scenario& scenario);

/// Returns moves that may make a step faster: twice and half of what divides the model and its
/// batch, other ZeRO stages, less recompute, overlaps that are off.
std::vector<Change> moves_for_speed(const Scenario& scenario);

}  // namespace railwright::simulation
