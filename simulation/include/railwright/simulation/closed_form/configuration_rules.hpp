// SPDX-License-Identifier: Apache-2.0
// What a model and a stack ask of their configurations.
#pragma once

#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::simulation {

bool has_experts(const models::Training& workload);

/// Whether parameters or gradients go with every pass, which is without a pipeline alone.
bool goes_by_layer(const models::SoftwareProfile& software, int zero_stage);

}  // namespace railwright::simulation
