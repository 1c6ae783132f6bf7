// SPDX-License-Identifier: Apache-2.0
// Jobs on their nodes of the cluster.
#pragma once

#include <span>
#include <vector>

#include "job_steps.hpp"
#include "placed_jobs.hpp"

namespace railwright::simulation {

/// Returns the jobs as they run beside the others, each with its step: `steps` has one of
/// each part that placed_jobs() returns. They refer to `checked`.
std::vector<RunJob> run_jobs(const CheckedJobs& checked, const core::Fabric& fabric,
                             std::span<const JobStep> steps);

}  // namespace railwright::simulation
