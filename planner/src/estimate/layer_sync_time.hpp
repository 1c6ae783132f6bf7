// SPDX-License-Identifier: Apache-2.0
// What collectives that go along with every micro-batch leave to wait for.
#pragma once

#include "railwright/planner/step/costs.hpp"

namespace railwright::planner {

struct LayerSyncTime {
  core::Duration gather;
  core::Duration reduce;
};

/// Waiting times of a step whose layers are gathered or reduced one by one (see
/// step/layer_sync.hpp), zero where none are. A layer takes as long as its computation or the next
/// one's gather, and a micro-batch at least as long as its reductions, or as the busiest link.
LayerSyncTime layer_sync_time(const StepCosts& costs);

}  // namespace railwright::planner
