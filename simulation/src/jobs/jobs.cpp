// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/jobs/jobs.hpp"

#include "nic_bytes.hpp"
#include "railwright/models/reliability/failure_process.hpp"
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

}  // namespace

JobsResult simulate(const CheckedJobs& checked, const SimulateOptions& options) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  JobsResult result{
      .name = checked.cluster.name,
      .num_accelerators = std::int64_t{cluster.num_nodes} * cluster.node.num_accelerators.value};
  SimulateOptions of_step = options;
  of_step.trace = false;
  StepsAlone steps;
  for (const CheckedJob& job : checked.jobs) {
    result.num_jobs += job.count;
    const topologies::BuiltCluster part = job.checked.topology->build(job.checked.scenario.cluster);
    const SimulationResult alone = simulate_without_run(job.checked, part, of_step);
    steps.bytes.push_back(nic_bytes(part.fabric, alone.link_bytes));
    for (const Infeasibility& reason : alone.infeasible) {
      result.infeasible.push_back({job.checked.scenario.name + ": " + reason.what});
    }
    steps.degraded_link_speeds.push_back(
        alone.feasible() ? degraded_link_speed(job.checked, part.fabric, of_step, alone.step_time)
                         : 1.0);
    steps.times.push_back(job.checked.scenario.run.step_time.value_or(alone.step_time));
  }
  result.step_times = steps.times;
  const topologies::BuiltCluster built = checked.cluster.topology->build(cluster);
  for (const core::Shortfall& shortfall : built.parts.shortfalls) {
    result.infeasible.push_back({shortfall.what});
  }
  if (!result.feasible()) return result;
  const std::vector<RunJob> jobs = run_jobs(checked, built.fabric, steps);
  RunPlan plan = checked.run;
  plan.targets.reset();  // of all jobs, not of the first
  result.run =
      simulate_run(jobs, built.fabric, plan, {.trace = options.trace, .tell = options.tell});
  check_run(result.run, result.infeasible);
  for (const RunJob& job : jobs) {
    result.places.push_back({job.start, job.checked->scenario.cluster.num_nodes});
    result.step_intervals.push_back(interval_of(job.checked->scenario));
    const bool is_first = &job == &jobs.front();
    result.alone.push_back(
        simulate_run(std::span(&job, 1), built.fabric, plan_alone(checked, job, is_first))
            .job()
            .training_time());
  }
  if (checked.run.targets && !result.run.is_beyond_clock) {
    result.run.needs = shared_storage_needs(checked, steps);
  }
  return result;
}

}  // namespace railwright::simulation
