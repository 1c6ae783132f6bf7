// SPDX-License-Identifier: Apache-2.0
// The steps of several jobs, event by event on one network.
#pragma once

#include <vector>

#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation::test_jobs {

/// Returns the mean step time of each job, all from the first moment on: every transfer of every
/// step of each is a flow on the links that they share. Counts the steps that end while all run, of
/// some `num_steps` of the slowest.
std::vector<core::Duration> steps_together(const CheckedJobs& checked, int num_steps);

}  // namespace railwright::simulation::test_jobs
