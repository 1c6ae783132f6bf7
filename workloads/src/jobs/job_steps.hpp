// SPDX-License-Identifier: Apache-2.0
// Steps of jobs on their places in the fabrics of their pools, alone and beside the others.
#pragma once

#include <span>
#include <vector>

#include "placed_jobs.hpp"
#include "railwright/simulation/step/breakdown.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "step_bytes.hpp"

namespace railwright::simulation {

/// The step of a job on its nodes.
struct JobStep {
  core::Duration alone;  ///< while the others are silent
  core::Duration time;   ///< beside the mean traffic of the others
  Breakdown breakdown;   ///< of a simulated or estimated one, also where the time was measured
  StepBytes bytes;       ///< none with Method::kEstimate
  double degraded_link_speed = 1.0;
};

/// Simulates the step of each job alone on its place in the fabric of its pool, then twice with
/// what the others' mean rates leave of the links between switches. All of them count as if they
/// ran at once, whenever they start. A measured step time stays as it is, and an estimate has no
/// bytes to share links for.
std::vector<JobStep> job_steps(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                               const SimulateOptions& options);

/// Simulates the step of a job that is alone on its place.
JobStep step_alone(const CheckedScenario& job, const SimulateOptions& options);

}  // namespace railwright::simulation
