// SPDX-License-Identifier: Apache-2.0
// The way of new weights from the trainer's accelerators to the replicas.
#pragma once

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"

namespace railwright::simulation {

/// Returns the time in which accelerators that hold one copy of the trained weights together gather
/// it, all copies at once; on nodes of their own, one of them then broadcasts it to all
/// accelerators of the rollout. `fabric` is that of the whole cluster.
core::Duration weights_time(const CheckedPostTraining& checked, const core::Fabric& fabric);

}  // namespace railwright::simulation
