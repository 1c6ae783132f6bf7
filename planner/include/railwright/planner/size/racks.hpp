// SPDX-License-Identifier: Apache-2.0
// Counts the racks of a cluster.
#pragma once

#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/scenario/goals.hpp"

namespace railwright::simulation {
struct Scenario;
}  // namespace railwright::simulation

namespace railwright::planner {

/// Counts racks for all nodes, including spares, and for the other equipment of the parts list.
Racks racks_for(const simulation::Scenario& scenario, const simulation::SimulationResult& result,
                const simulation::Rack& rack);

}  // namespace railwright::planner
