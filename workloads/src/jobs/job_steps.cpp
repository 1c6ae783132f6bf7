// SPDX-License-Identifier: Apache-2.0
#include "job_steps.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "switch_traffic.hpp"

namespace railwright::simulation {

namespace {

constexpr int kRounds = 2;  // a slower job sends less, which leaves the others more

/// A job's step with what its fabric makes of it, kept from one round to the next.
struct StepInPlace {
  JobStep step;
  StepCosts costs;
  std::vector<core::LinkId> links;  ///< between switches of its fabric
};

StepInPlace step_alone(const CheckedScenario& job, const SimulateOptions& options) {
  const topologies::BuiltCluster built = job.topology->build(job.scenario.cluster);
  StepInPlace placed{.step = {},
                     .costs = step_costs(job, built.fabric),
                     .links = links_between_switches(built.fabric)};
  JobStep& step = placed.step;
  if (options.method == Method::kEstimate) {
    step.breakdown = estimate_step(placed.costs);
    step.alone = step.breakdown.total();
  } else {
    const StepResult result = simulate_step(placed.costs, options.symmetry);
    step.alone = result.step_time;
    step.breakdown = result.breakdown;
    step.bytes = step_bytes(built.fabric, result.link_bytes);
  }
  step.degraded_link_speed = degraded_link_speed(job, built.fabric, options, step.alone);
  step.alone = job.scenario.run.step_time.value_or(step.alone);
  step.time = step.alone;
  return placed;
}

/// Returns the step of a load, which puts nothing on the fabric.
StepInPlace step_of_load(const CheckedScenario& job) {
  StepInPlace placed;
  placed.step.alone = *job.scenario.run.step_time;
  placed.step.time = placed.step.alone;
  return placed;
}

/// Simulates the step anew beside the traffic of the others.
void step_beside(const SwitchTraffic& traffic, const SimulateOptions& options,
                 StepInPlace& placed) {
  JobStep& step = placed.step;
  std::vector<double> whole = placed.costs.capacity;
  placed.costs.capacity = traffic.left_to(step.bytes, step.time, placed.links, whole);
  const StepResult result = simulate_step(placed.costs, options.symmetry);
  placed.costs.capacity = std::move(whole);
  // A slower link of one flow may free another's: one step was faster by 3e-8.
  step.time = std::max(step.alone, result.step_time);
  step.breakdown = result.breakdown;
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

SwitchTraffic traffic_of(std::span<const StepInPlace> jobs) {
  SwitchTraffic traffic;
  for (const StepInPlace& job : jobs) traffic.add(job.step.bytes, job.step.time);
  return traffic;
}

}  // namespace

std::vector<JobStep> job_steps(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                               const core::Fabric& whole, const SimulateOptions& options) {
  const std::vector<std::size_t> like = likes(checked, jobs, whole);
  std::vector<StepInPlace> steps(jobs.size());
  core::parallel_for(jobs.size(), [&](std::size_t j) {
    if (like[j] != j) return;
    const CheckedJob& job = checked.jobs[jobs[j].entry];
    steps[j] = job.load ? step_of_load(job.checked)
                        : step_alone(scenario_in_place(checked, jobs[j]), options);
  });
  for (std::size_t j = 0; j < jobs.size(); ++j) steps[j].step = steps[like[j]].step;
  for (int round = 0; round < kRounds; ++round) {
    const SwitchTraffic traffic = traffic_of(steps);
    core::parallel_for(jobs.size(), [&](std::size_t j) {
      const CheckedJob& job = checked.jobs[jobs[j].entry];
      if (job.checked.scenario.run.step_time || !traffic.is_shared_by(steps[j].step.bytes)) return;
      step_beside(traffic, options, steps[j]);
    });
  }
  std::vector<JobStep> all;
  for (StepInPlace& job : steps) all.push_back(std::move(job.step));
  return all;
}

}  // namespace railwright::simulation
