// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/jobs/jobs.hpp"

#include <fmt/format.h>

#include <string_view>

#include "nic_bytes.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "run_jobs.hpp"
#include "shared_storage_needs.hpp"

namespace railwright::simulation {

namespace {

/// Keys of a job that a scenario lacks.
constexpr std::array<std::string_view, 3> kOfJobOnly{"start", "nodes", "count"};

core::Node number_of_nodes(int number, const core::Location& where) {
  core::Node node = core::to_node(number);
  node.where = where;
  return node;
}

/// Returns the job as a scenario with its part of the cluster.
core::Node scenario_of(const core::Node& tree, const core::Node& job, int num_nodes) {
  core::Node scenario = job;
  std::erase_if(scenario.entries, [](const core::Entry& entry) {
    return std::ranges::find(kOfJobOnly, entry.key) != kOfJobOnly.end();
  });
  for (const core::Entry& entry : tree.entries) {
    if (entry.key == "reliability") scenario.entries.push_back(entry);
    if (entry.key != "cluster") continue;
    core::Entry cluster = entry;
    for (core::Entry& key : cluster.value.entries) {
      if (key.key == "nodes") key.value = number_of_nodes(num_nodes, key.where);
    }
    scenario.entries.push_back(std::move(cluster));
  }
  return scenario;
}

void check_nodes(const core::Node& tree, const JobsScenario& scenario, core::Reader& reader) {
  int needed = 0;
  for (const JobOfMany& job : scenario.jobs) needed += job.num_nodes * job.count;
  if (needed <= scenario.cluster.num_nodes) return;
  reader.report(tree.find("jobs")->where, "jobs",
                fmt::format("the jobs take {} nodes, the cluster has {}", needed,
                            scenario.cluster.num_nodes));
}

/// Reports what the plan of all jobs asks of storage or of jobs that are not there.
void check_plan(const core::Node& tree, const JobsScenario& scenario, core::Reader& reader) {
  const core::Node* run = tree.find("run");
  if (run == nullptr) return;
  if (!scenario.cluster.storage) {
    for (const char* key : {"targets", "other_loads"}) {
      const core::Node* value = run->find(key);
      if (value == nullptr) continue;
      reader.report(value->where, fmt::format("run.{}", key),
                    "needs cluster.storage, which is missing");
    }
  }
  std::vector<std::string> names;
  for (const JobOfMany& job : scenario.jobs) names.push_back(job.name);
  for (std::size_t i = 0; i < scenario.run.incidents.size(); ++i) {
    const Incident& incident = scenario.run.incidents[i];
    if (incident.job.empty()) continue;
    const core::Node& name = *run->find("incidents")->items[i].find("job");
    const std::string path = fmt::format("run.incidents[{}].job", i);
    if (models::is_shared(incident.component)) {
      reader.report(name.where, path, "has no effect: this strikes all jobs");
    } else if (std::ranges::find(names, incident.job) == names.end()) {
      reader.report_unknown_name("job", name, path, names);
    }
  }
}

/// Reports keys of a job's own `run` that only that of all jobs has a use for.
void check_plans_of_jobs(const core::Node& tree, core::Reader& reader) {
  const std::vector<core::Node>& jobs = tree.find("jobs")->items;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const core::Node* run = jobs[j].find("run");
    if (run == nullptr) continue;
    for (const char* key : {"incidents", "num_spares", "replicas", "seed", "other_loads", "targets",
                            "optimize_interval"}) {
      const core::Node* value = run->find(key);
      if (value == nullptr) continue;
      reader.report(value->where, fmt::format("jobs[{}].run.{}", j, key),
                    "has no effect: chance, incidents and storage are those of all jobs",
                    fmt::format("move it to the scenario's own `run`: run.{}", key));
    }
  }
}

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

bool is_jobs(const core::Node& tree) { return tree.find("jobs") != nullptr; }

CheckedJobs read_jobs(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  JobsScenario scenario;
  reader.read(tree, "", scenario);
  if (reader.diagnostics().empty()) check_nodes(tree, scenario, reader);
  if (reader.diagnostics().empty()) check_plan(tree, scenario, reader);
  if (reader.diagnostics().empty()) check_plans_of_jobs(tree, reader);
  if (reader.diagnostics().empty() && scenario.jobs.empty()) {
    reader.report(tree.find("jobs")->where, "jobs", "needs at least one job");
  }
  reader.throw_if_any();
  CheckedJobs checked{.cluster = read_cluster(tree, catalogue), .jobs = {}, .run = scenario.run};
  std::vector<core::Diagnostic> problems;
  const std::vector<core::Node>& jobs = tree.find("jobs")->items;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const JobOfMany& job = scenario.jobs[j];
    try {
      checked.jobs.push_back(
          {.checked = read_scenario(scenario_of(tree, jobs[j], job.num_nodes), catalogue),
           .start = job.start,
           .count = job.count});
    } catch (const core::ConfigError& error) {
      problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return checked;
}

JobsResult simulate(const CheckedJobs& checked, const SimulateOptions& options) {
  JobsResult result{.name = checked.cluster.name};
  SimulateOptions of_step = options;
  of_step.trace = false;
  StepsAlone steps;
  for (const CheckedJob& job : checked.jobs) {
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
  const topologies::BuiltCluster built = checked.cluster.topology->build(checked.cluster.cluster);
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
