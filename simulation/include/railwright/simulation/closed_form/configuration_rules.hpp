// SPDX-License-Identifier: Apache-2.0
// Requirements of a model and a software stack on their configurations.
#pragma once

#include "railwright/models/workload/training.hpp"

namespace railwright::models {
struct SoftwareProfile;
}  // namespace railwright::models

namespace railwright::simulation {

bool has_experts(const models::Training& workload);

/// Whether parameters or gradients are exchanged in every pass, which only works without a
/// pipeline.
bool goes_by_layer(const models::SoftwareProfile& software, int zero_stage);

}  // namespace railwright::simulation
