// SPDX-License-Identifier: Apache-2.0
// Checks of a stack's recipe against the parallelism of a job.
#pragma once

#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::simulation {

/// Checks `software` with `zero_stage` and `recompute` in place of its own.
std::vector<models::LayoutProblem> software_problems(const models::SoftwareProfile& software,
                                                     int zero_stage, models::Recompute recompute,
                                                     int pp);

}  // namespace railwright::simulation
