// SPDX-License-Identifier: Apache-2.0
// The time of a step in closed form, with the busiest link in place of events.
#pragma once

#include "railwright/planner/step/breakdown.hpp"
#include "railwright/planner/step/costs.hpp"

namespace railwright::planner {

/// Step time and breakdown of the costs as they stand. Exact for a pipeline of equal stages whose
/// transfers never meet; in general the slowest stage sets the pace, each collective runs at the
/// rate of its busiest link with the collectives of all stages on it, and what overlaps is hidden
/// up to the length of the pass it overlaps with.
Breakdown estimate_step(const StepCosts& costs);

/// The best over the channel maps a system admits: its own, and that of each system with fewer NICs
/// a node, which is a choice of NICs to leave idle. So more NICs never look slower.
Breakdown estimate_step(const CheckedScenario& checked, const topologies::Topology& topology);

}  // namespace railwright::planner
