// SPDX-License-Identifier: Apache-2.0
// The forward and backward passes of a step, and the transfers between pipeline stages.
#pragma once

#include <vector>

#include "graph.hpp"
#include "railwright/planner/step/costs.hpp"

namespace railwright::planner {

/// Where the collectives of data parallelism meet the passes, by group and layer (in forward
/// order).
struct PassHooks {
  /// First operation of each layer's forward pass of the first micro-batch; kNoOp where the pass is
  /// not cut into layers because no gather goes along with it.
  std::vector<std::vector<OpId>> forward_begin;
  /// Last operation of each layer's backward pass of the last micro-batch; likewise.
  std::vector<std::vector<OpId>> backward_end;
};

PassHooks add_passes(const StepCosts& costs, Graph& graph);

}  // namespace railwright::planner
