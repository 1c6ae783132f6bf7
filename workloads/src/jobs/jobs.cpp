// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/jobs/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "divided_steps.hpp"
#include "job_steps.hpp"
#include "placed_jobs.hpp"
#include "power_of_jobs.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/pools.hpp"
#include "run_jobs.hpp"
#include "shared_storage_needs.hpp"

namespace railwright::simulation {

namespace {

StepInterval interval_of(const Scenario& scenario) {
  if (scenario.run.step_time) return {};
  return {.low = scenario.installation.step_time_low.value,
          .high = scenario.installation.step_time_high.value};
}

/// Returns the plan for a job that is alone on the cluster: without incidents that stop others.
RunPlan plan_alone(const CheckedJobs& checked, const RunJob& job, bool is_first) {
  RunPlan plan = checked.run;
  std::erase_if(plan.incidents, [&](const Incident& incident) {
    const bool is_its_own =
        incident.job.empty() ? is_first : incident.job == job.checked->scenario.name;
    return !models::is_shared(incident.component) && !is_its_own;
  });
  plan.targets.reset();
  return plan;
}

/// Adds the pools that have fewer nodes than their jobs take.
void check_nodes(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
                 std::vector<Infeasibility>& reasons) {
  for (std::size_t p = 0; p < checked.pools.size(); ++p) {
    int needed = 0;
    for (const PlacedJob& job : jobs) {
      if (pool_of(checked, job) != p) continue;
      needed += scenario_of(checked, job).scenario.cluster.num_nodes;
    }
    const topologies::Pool& pool = checked.pools[p];
    const int missing = needed - pool.cluster.num_nodes;
    if (missing <= 0) continue;
    const std::string whole = pool.name.empty() ? "the cluster" : "pool " + pool.name;
    reasons.push_back({fmt::format("the jobs take {} nodes, {} has {}: {} too few", needed, whole,
                                   pool.cluster.num_nodes, missing)});
  }
}

/// Adds what of the jobs and of their cluster does not fit.
void check_fit(const CheckedJobs& checked, std::span<const PlacedJob> jobs,
               const topologies::BuiltCluster& whole, std::vector<Infeasibility>& reasons) {
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const bool is_known = std::ranges::any_of(jobs.first(j), [&](const PlacedJob& one) {
      return one.entry == jobs[j].entry && one.part == jobs[j].part;
    });
    if (is_known) continue;
    const CheckedScenario job = scenario_in_place(checked, jobs[j]);
    const topologies::BuiltCluster part = job.topology->build(job.scenario.cluster);
    for (const Infeasibility& reason : check_design(job, part).infeasible) {
      const bool is_of_cluster =
          std::ranges::any_of(part.parts.shortfalls,
                              [&](const core::Shortfall& one) { return one.what == reason.what; });
      if (!is_of_cluster) reasons.push_back({job.scenario.name + ": " + reason.what});
    }
  }
  for (const core::Shortfall& shortfall : whole.parts.shortfalls) {
    reasons.push_back({shortfall.what});
  }
}

/// Adds the training time of each job with the cluster to itself, and what else is known of each.
void add_each(const CheckedJobs& checked, const core::Fabric& fabric,
              std::span<const PlacedJob> placed, std::span<const JobStep> steps,
              std::span<const RunJob> jobs, JobsResult& result) {
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (placed[i].part > 0) continue;
    const std::size_t j = placed[i].job;
    RunJob job = jobs[j];
    job.step_time = steps[i].alone;
    result.step_times.push_back(steps[i].time);
    result.step_times_alone.push_back(steps[i].alone);
    int num_nodes = job.checked->scenario.cluster.num_nodes;
    for (const RunPart& part : job.others) num_nodes += part.checked->scenario.cluster.num_nodes;
    result.places.push_back({job.start, num_nodes});
    result.step_intervals.push_back(interval_of(job.checked->scenario));
    result.alone.push_back(
        simulate_run(std::span(&job, 1), fabric, plan_alone(checked, job, j == 0))
            .job()
            .training_time());
  }
}

/// Names what loads do in place of the phases of a training.
void name_phases_of_loads(JobsResult& result) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNames{
      {{"steps", "reads"}, {"checkpoint", "write"}, {"restore", "read back"}}};
  for (RunSpan& span : result.run.spans) {
    if (!result.is_load(static_cast<std::size_t>(span.job))) continue;
    for (const auto& [phase, name] : kNames) {
      if (span.what == phase) span.what = name;
    }
  }
}

}  // namespace

bool JobsResult::has_load() const {
  return std::ranges::any_of(loads, [](const auto& load) { return load.has_value(); });
}

JobsResult simulate(const CheckedJobs& checked, const SimulateOptions& options) {
  const std::vector<PlacedJob> placed = placed_jobs(checked);
  JobsResult result{.name = checked.name,
                    .num_jobs = static_cast<std::int64_t>(placed.back().job) + 1};
  for (const topologies::Pool& pool : checked.pools) {
    result.num_accelerators +=
        std::int64_t{pool.cluster.num_nodes} * pool.cluster.node.num_accelerators.value;
  }
  if (checked.storage()) result.storage_node = checked.storage()->node.name;
  if (checked.prices) result.prices = checked.prices->description;
  check_nodes(checked, placed, result.infeasible);
  if (!result.feasible()) return result;
  SimulateOptions of_step = options;
  of_step.trace = false;
  const topologies::BuiltCluster built = topologies::build(checked.pools);
  check_fit(checked, placed, built, result.infeasible);
  if (!result.feasible()) return result;
  std::vector<JobStep> steps = job_steps(checked, placed, of_step);
  result.divided_steps = divide_steps(checked, placed, of_step, steps);
  const std::vector<RunJob> jobs = run_jobs(checked, built.fabric, steps);
  RunPlan plan = checked.run;
  plan.targets.reset();  // of all jobs, not of the first
  result.run =
      simulate_run(jobs, built.fabric, plan, {.trace = options.trace, .tell = options.tell});
  check_run(result.run, result.infeasible);
  add_each(checked, built.fabric, placed, steps, jobs, result);
  for (const PlacedJob& one : placed) {
    if (one.part == 0) result.loads.push_back(checked.jobs[one.entry].load);
  }
  name_phases_of_loads(result);
  if (!result.has_load()) {
    result.power = power_of_jobs(checked, built.parts, placed, steps, result);
  }
  if (checked.run.targets && !result.run.is_beyond_clock) {
    result.run.needs = shared_storage_needs(checked, steps);
  }
  return result;
}

}  // namespace railwright::simulation
