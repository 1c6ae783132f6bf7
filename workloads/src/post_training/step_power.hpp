// SPDX-License-Identifier: Apache-2.0
// Power of the cluster over a step of post-training.
#pragma once

#include "railwright/core/parts_list.hpp"
#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"

namespace railwright::simulation {

/// Returns the mean power of the equipment over a step with times and idle shares, times pue.
/// Accelerators that generate or train compute, those that move weights communicate, others idle.
core::Power mean_power(const CheckedPostTraining& checked, const core::PartsList& parts,
                       const PostTrainingResult& result);

}  // namespace railwright::simulation
