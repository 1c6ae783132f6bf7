// SPDX-License-Identifier: Apache-2.0
// Racks of a cluster.
#pragma once

#include "railwright/planner/scenario/goals.hpp"
#include "railwright/planner/verbs/size.hpp"

namespace railwright::planner {

/// Racks for the servers, spare ones too, and for all else that the result's parts list.
Racks racks_for(const Scenario& scenario, const SimulationResult& result, const Rack& rack);

}  // namespace railwright::planner
