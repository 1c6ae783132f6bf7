// SPDX-License-Identifier: Apache-2.0
// What each class of ranks does in a step, node by node.
#pragma once

#include <vector>

#include "calls.hpp"
#include "railwright/planner/step/step.hpp"

namespace railwright::planner::chakra {

/// Nodes of the ranks of each group, by StepCosts::group, each behind those it waits for. A pass is
/// one computation; its calls are one node each, one behind the other.
std::vector<std::vector<Node>> rank_nodes(const StepCosts& costs, const Program& program,
                                          const Execution& execution, const Calls& calls);

}  // namespace railwright::planner::chakra
