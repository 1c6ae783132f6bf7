// SPDX-License-Identifier: Apache-2.0
// Collectives of every micro-batch, layer by layer.
#pragma once

#include <vector>

#include "graph.hpp"
#include "passes.hpp"

namespace railwright::simulation {

/// Adds the gathers of ZeRO-3 and the reductions of gradients in each micro-batch; returns the last
/// reductions. A gather starts at the earliest when the layer two before its own has ended. Adds
/// nothing if the step has neither. There is one pipeline stage. [@zhao2023fsdp]
std::vector<OpId> add_layer_syncs(const StepCosts& costs, const PassHooks& hooks, Graph& graph);

}  // namespace railwright::simulation
