// SPDX-License-Identifier: Apache-2.0
// Steps of jobs on their places in one fabric, alone and beside the others.
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

/// Simulates the step of each job alone on its place in `whole`, then twice with what the others'
/// mean rates leave of the links between switches. All of them count as if they ran at once,
/// whenever they start. A measured step time stays as it is, and an estimate has no bytes to share
/// links for.
std::vector<JobStep> job_steps(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                               const core::Fabric& whole, const SimulateOptions& options);

}  // namespace railwright::simulation
