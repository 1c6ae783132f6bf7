// SPDX-License-Identifier: Apache-2.0
// Whether any group of a step can run the all-reduce algorithm that the scenario names.
#pragma once

#include <vector>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// An algorithm for groups within a node, where all groups span nodes, would change nothing unseen.
std::vector<models::LayoutProblem> group_problems(const Scenario& scenario,
                                                  const models::Layout& layout);

}  // namespace railwright::simulation
