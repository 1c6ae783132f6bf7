// SPDX-License-Identifier: Apache-2.0
// Collectives that go along with every micro-batch, layer by layer.
#pragma once

#include <vector>

#include "graph.hpp"
#include "passes.hpp"

namespace railwright::simulation {

/// Adds the gathers of ZeRO-3, two layers ahead of their use at most, and reductions of gradients
/// behind each micro-batch; returns the last of these. Nothing where the step has neither. There is
/// one pipeline stage. [@zhao2023fsdp]
std::vector<OpId> add_layer_syncs(const StepCosts& costs, const PassHooks& hooks, Graph& graph);

}  // namespace railwright::simulation
