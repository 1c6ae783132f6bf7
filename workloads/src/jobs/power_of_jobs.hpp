// SPDX-License-Identifier: Apache-2.0
// Power of jobs from what each of them does when.
#pragma once

#include <span>

#include "job_steps.hpp"
#include "placed_jobs.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/workloads/jobs/jobs.hpp"

namespace railwright::simulation {

/// Computes the power of jobs that ran, and adds that of each pool to `result.pools`. As of one job
/// alone, what is like steps draws the mean power of a step, and the rest of a job's time draws
/// idle power, as do nodes without a job. `steps` are those of `placed`.
JobsPower power_of_jobs(const CheckedJobs& checked, const core::PartsList& parts,
                        std::span<const PlacedJob> placed, std::span<const JobStep> steps,
                        JobsResult& result);

}  // namespace railwright::simulation
