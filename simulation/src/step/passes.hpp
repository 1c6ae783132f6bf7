// SPDX-License-Identifier: Apache-2.0
// The forward and backward passes of a step, and the transfers between pipeline stages.
#pragma once

#include <vector>

#include "graph.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// First and last operation of a pass, or of a layer's part of it.
struct PassOps {
  OpId begin = kNoOp;
  OpId end = kNoOp;
};

/// Operations that data-parallel collectives attach to: by group, at [micro-batch * layers +
/// layer]; kNoOp if a pass is not cut into layers because no collective runs during it.
struct PassHooks {
  std::vector<std::vector<PassOps>> forward;
  std::vector<std::vector<PassOps>> backward;
};

PassHooks add_passes(const StepCosts& costs, Graph& graph);

}  // namespace railwright::simulation
