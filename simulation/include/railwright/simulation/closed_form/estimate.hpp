// SPDX-License-Identifier: Apache-2.0
// The time of a step in closed form, with the busiest link in place of events.
#pragma once

#include "railwright/simulation/step/breakdown.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Step time and breakdown of the costs as they stand: the stage that makes the longest step sets
/// the pace, each collective runs at the rate of its busiest link with the collectives of all
/// stages on it, what overlaps is hidden up to the length of the passes it overlaps with, and no
/// step is shorter than its busiest link needs for all of its bytes.
///
/// How far it is from the simulation: docs/models/schedule.md, which random designs hold to it.
Breakdown estimate_step(const StepCosts& costs);

}  // namespace railwright::simulation
