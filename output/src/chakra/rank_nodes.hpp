// SPDX-License-Identifier: Apache-2.0
// The nodes of each class of ranks in a step.
#pragma once

#include <vector>

#include "calls.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::output::chakra {

/// Returns the nodes of each group's ranks, indexed by StepCosts::group; a node follows those it
/// waits for. A pass is one computation node; its calls are one node each, in sequence.
std::vector<std::vector<Node>> rank_nodes(const simulation::StepCosts& costs,
                                          const simulation::Program& program,
                                          const simulation::Execution& execution,
                                          const Calls& calls);

}  // namespace railwright::output::chakra
