// SPDX-License-Identifier: Apache-2.0
// What a stack's recipe and the division of a job do not allow together.
#pragma once

#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::simulation {

/// With another ZeRO stage and recompute mode than the profile's own.
std::vector<models::LayoutProblem> software_problems(const models::SoftwareProfile& software,
                                                     int zero_stage, models::Recompute recompute,
                                                     int pp);

}  // namespace railwright::simulation
