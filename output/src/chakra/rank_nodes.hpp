// SPDX-License-Identifier: Apache-2.0
// What each class of ranks does in a step, node by node.
#pragma once

#include <vector>

#include "calls.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::output::chakra {

/// Nodes of the ranks of each group, by StepCosts::group, each behind those it waits for. A pass is
/// one computation; its calls are one node each, one behind the other.
std::vector<std::vector<Node>> rank_nodes(const simulation::StepCosts& costs,
                                          const simulation::Program& program,
                                          const simulation::Execution& execution,
                                          const Calls& calls);

}  // namespace railwright::output::chakra
