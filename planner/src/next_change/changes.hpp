// SPDX-License-Identifier: Apache-2.0
// Changes of a cluster that keep its number of accelerators.
#pragma once

#include <vector>

#include "railwright/simulation/estimator/moves.hpp"

namespace railwright::planner {

/// Returns twice the NICs of a node, if there are accelerators for them; else nothing.
std::vector<simulation::Change> changes_of_nics(const simulation::Scenario& scenario);

}  // namespace railwright::planner
