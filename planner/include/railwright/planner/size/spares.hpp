// SPDX-License-Identifier: Apache-2.0
// Nodes that stand by.
#pragma once

#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

/// Nodes that stand by, so that with a chance of 95 % no more than these are under repair at a
/// time: a Poisson number whose mean is the rate of failures of nodes and of what is in them, as
/// the run had them, times the time of a repair [@barlow1965]. 0 where nothing fails.
int spares_for(const simulation::Scenario& scenario, const simulation::JobRun& run);

}  // namespace railwright::planner
