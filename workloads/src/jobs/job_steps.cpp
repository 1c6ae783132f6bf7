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

StepInPlace step_in_place(const CheckedScenario& job, const SimulateOptions& options) {
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

/// Simulates the steps of all jobs alone: of each entry the first, and the others where their
/// places differ from its.
std::vector<StepInPlace> steps_alone(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                                     const SimulateOptions& options) {
  std::vector<StepInPlace> steps(jobs.size());
  std::vector<std::size_t> first(jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto same = std::ranges::find_if(jobs, [&](const PlacedJob& one) {
      return one.entry == jobs[j].entry && one.part == jobs[j].part;
    });
    first[j] = static_cast<std::size_t>(same - jobs.begin());
  }
  const auto simulate_those = [&](auto&& is_one) {
    core::parallel_for(jobs.size(), [&](std::size_t j) {
      if (!is_one(j)) return;
      const CheckedJob& job = checked.jobs[jobs[j].entry];
      steps[j] = job.load ? step_of_load(job.checked)
                          : step_in_place(scenario_in_place(checked, jobs[j]), options);
    });
  };
  const auto is_alike = [&](std::size_t j) {
    const topologies::Pool& pool = checked.pools[pool_of(checked, jobs[j])];
    return steps[first[j]].links.empty() && pool.cluster.faults.empty();
  };
  simulate_those([&](std::size_t j) { return first[j] == j; });
  simulate_those([&](std::size_t j) { return first[j] != j && !is_alike(j); });
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (is_alike(j)) steps[j].step = steps[first[j]].step;
  }
  return steps;
}

/// Returns the traffic of each pool, whose links no job of another uses.
std::vector<SwitchTraffic> traffic_of(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                                      std::span<const StepInPlace> steps) {
  std::vector<SwitchTraffic> traffic(checked.pools.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    traffic[pool_of(checked, jobs[j])].add(steps[j].step.bytes, steps[j].step.time);
  }
  return traffic;
}

}  // namespace

JobStep step_alone(const CheckedScenario& job, const SimulateOptions& options) {
  return step_in_place(job, options).step;
}

std::vector<JobStep> job_steps(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                               const SimulateOptions& options) {
  std::vector<StepInPlace> steps = steps_alone(checked, jobs, options);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<SwitchTraffic> all = traffic_of(checked, jobs, steps);
    core::parallel_for(jobs.size(), [&](std::size_t j) {
      const CheckedScenario& job = scenario_of(checked, jobs[j]);
      const SwitchTraffic& traffic = all[pool_of(checked, jobs[j])];
      if (job.scenario.run.step_time || !traffic.is_shared_by(steps[j].step.bytes)) return;
      step_beside(traffic, options, steps[j]);
    });
  }
  std::vector<JobStep> all;
  for (StepInPlace& job : steps) all.push_back(std::move(job.step));
  return all;
}

}  // namespace railwright::simulation
