// SPDX-License-Identifier: Apache-2.0
// The time of a step in closed form, with the busiest link in place of events.
#pragma once

#include "railwright/simulation/step/breakdown.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Computes the step time and its breakdown from `costs`. The stage that makes the longest step
/// sets the pace. Each collective runs at the rate of its busiest link, which carries the
/// collectives of all stages. Overlapped transfers are hidden up to the length of the passes they
/// overlap with. No step is shorter than its busiest link needs for all of its bytes.
///
/// docs/models/schedule.md gives the error against the simulation; a test checks it on random
/// designs.
Breakdown estimate_step(const StepCosts& costs);

}  // namespace railwright::simulation
