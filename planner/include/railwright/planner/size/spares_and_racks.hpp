// SPDX-License-Identifier: Apache-2.0
// Counts what a cluster needs beside its nodes at work: spare nodes and racks.
#pragma once

#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/scenario/goals.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

/// Counts the spares such that with a chance of 95 % no more nodes are under repair at a time. That
/// number is Poisson with the rate of failures of nodes and their parts in the run, times the
/// repair time, as its mean [@barlow1965]. 0 without failures.
int spares_for(const simulation::Scenario& scenario, const simulation::JobRun& run);

/// Counts racks for all nodes, including spares, and for the other equipment of the parts list.
Racks racks_for(const simulation::Scenario& scenario, const simulation::SimulationResult& result,
                const simulation::Rack& rack);

}  // namespace railwright::planner
