// SPDX-License-Identifier: Apache-2.0
// Racks of a cluster.
#pragma once

#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/scenario/goals.hpp"

namespace railwright::planner {

/// Racks for the nodes, spare ones too, and for all else that the result's parts list.
Racks racks_for(const simulation::Scenario& scenario, const simulation::SimulationResult& result,
                const simulation::Rack& rack);

}  // namespace railwright::planner
