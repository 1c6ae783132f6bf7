// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/jobs/jobs.hpp"

#include <fmt/format.h>

#include <string_view>

#include "nic_bytes.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"

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

/// Reports targets, which are only supported in a scenario with one job.
void check_targets(const core::Node& tree, const JobsScenario& scenario, core::Reader& reader) {
  constexpr const char* kWhy =
      "has no effect: targets size the storage of one training job, not of several";
  constexpr const char* kHint = "move it to a scenario with one job";
  if (scenario.run.targets) {
    reader.report(tree.find("run")->find("targets")->where, "run.targets", kWhy, kHint);
  }
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    if (!scenario.jobs[j].run.targets) continue;
    const core::Node& job = tree.find("jobs")->items[j];
    reader.report(job.find("run")->find("targets")->where, fmt::format("jobs[{}].run.targets", j),
                  kWhy, kHint);
  }
}

std::vector<RunJob> run_jobs(const CheckedJobs& checked, const core::Fabric& fabric,
                             const std::vector<core::Duration>& step_times,
                             const std::vector<NicBytes>& steps) {
  std::vector<RunJob> jobs;
  int first_node = 0;
  for (std::size_t j = 0; j < checked.jobs.size(); ++j) {
    const CheckedJob& job = checked.jobs[j];
    for (int i = 0; i < job.count; ++i) {
      jobs.push_back({.checked = &job.checked,
                      .step_time = step_times[j],
                      .start = job.start,
                      .first_node = first_node,
                      .link_bytes = link_bytes(fabric, first_node, steps[j])});
      first_node += job.checked.scenario.cluster.num_nodes;
    }
  }
  return jobs;
}

}  // namespace

bool is_jobs(const core::Node& tree) { return tree.find("jobs") != nullptr; }

CheckedJobs read_jobs(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  JobsScenario scenario;
  reader.read(tree, "", scenario);
  if (reader.diagnostics().empty()) check_nodes(tree, scenario, reader);
  if (reader.diagnostics().empty()) check_targets(tree, scenario, reader);
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
  std::vector<NicBytes> steps;
  for (const CheckedJob& job : checked.jobs) {
    const topologies::BuiltCluster part = job.checked.topology->build(job.checked.scenario.cluster);
    const SimulationResult alone = simulate_without_run(job.checked, part, of_step);
    steps.push_back(nic_bytes(part.fabric, alone.link_bytes));
    for (const Infeasibility& reason : alone.infeasible) {
      result.infeasible.push_back({job.checked.scenario.name + ": " + reason.what});
    }
    result.step_times.push_back(job.checked.scenario.run.step_time.value_or(alone.step_time));
  }
  const topologies::BuiltCluster built = checked.cluster.topology->build(checked.cluster.cluster);
  for (const core::Shortfall& shortfall : built.parts.shortfalls) {
    result.infeasible.push_back({shortfall.what});
  }
  if (!result.feasible()) return result;
  const std::vector<RunJob> jobs = run_jobs(checked, built.fabric, result.step_times, steps);
  result.run =
      simulate_run(jobs, built.fabric, checked.run, {.trace = options.trace, .tell = options.tell});
  check_run(result.run, result.infeasible);
  for (const RunJob& job : jobs) {
    result.alone.push_back(
        simulate_run(std::span(&job, 1), built.fabric, checked.run).job().training_time());
  }
  return result;
}

}  // namespace railwright::simulation
