// SPDX-License-Identifier: Apache-2.0
#include "job_steps.hpp"

#include <algorithm>
#include <cstddef>

#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"
#include "switch_traffic.hpp"

namespace railwright::simulation {

namespace {

constexpr int kRounds = 2;  // a slower job sends less, which leaves the others more

JobStep step_alone(const CheckedScenario& job, const SimulateOptions& options) {
  const topologies::BuiltCluster built = job.topology->build(job.scenario.cluster);
  const StepCosts costs = step_costs(job, built.fabric);
  JobStep step;
  if (options.method == Method::kEstimate) {
    step.alone = estimate_step(costs).total();
  } else {
    const StepResult result = simulate_step(costs, options.symmetry);
    step.alone = result.step_time;
    step.bytes = step_bytes(built.fabric, result.link_bytes);
  }
  step.degraded_link_speed = degraded_link_speed(job, built.fabric, options, step.alone);
  step.alone = job.scenario.run.step_time.value_or(step.alone);
  step.time = step.alone;
  return step;
}

core::Duration time_beside(const SwitchTraffic& traffic, const CheckedScenario& job,
                           const JobStep& step, const SimulateOptions& options) {
  const topologies::BuiltCluster built = job.topology->build(job.scenario.cluster);
  StepCosts costs = step_costs(job, built.fabric);
  costs.capacity = traffic.left_to(step.bytes, step.time, built.fabric, std::move(costs.capacity));
  // A slower link of one flow may free another's: one step was faster by 3e-8.
  return std::max(step.alone, simulate_step(costs, options.symmetry).step_time);
}

/// Returns, for each job, the one whose step is like its own: the first of its entry where no place
/// differs from another, else itself.
std::vector<std::size_t> likes(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                               const core::Fabric& whole) {
  const bool places_are_alike =
      links_between_switches(whole).empty() && checked.cluster.cluster.faults.empty();
  std::vector<std::size_t> like;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const bool is_like_last = places_are_alike && j > 0 && jobs[j].entry == jobs[j - 1].entry;
    like.push_back(is_like_last ? like.back() : j);
  }
  return like;
}

SwitchTraffic traffic_of(std::span<const JobStep> steps) {
  SwitchTraffic traffic;
  for (const JobStep& step : steps) traffic.add(step.bytes, step.time);
  return traffic;
}

}  // namespace

std::vector<JobStep> job_steps(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                               const core::Fabric& whole, const SimulateOptions& options) {
  const std::vector<std::size_t> like = likes(checked, jobs, whole);
  std::vector<JobStep> steps(jobs.size());
  core::parallel_for(jobs.size(), [&](std::size_t j) {
    if (like[j] == j) steps[j] = step_alone(scenario_in_place(checked, jobs[j]), options);
  });
  for (std::size_t j = 0; j < jobs.size(); ++j) steps[j] = steps[like[j]];
  for (int round = 0; round < kRounds; ++round) {
    const SwitchTraffic traffic = traffic_of(steps);
    core::parallel_for(jobs.size(), [&](std::size_t j) {
      const CheckedJob& job = checked.jobs[jobs[j].entry];
      if (job.checked.scenario.run.step_time || !traffic.is_shared_by(steps[j].bytes)) return;
      steps[j].time = time_beside(traffic, scenario_in_place(checked, jobs[j]), steps[j], options);
    });
  }
  return steps;
}

}  // namespace railwright::simulation
