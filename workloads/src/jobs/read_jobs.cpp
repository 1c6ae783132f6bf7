// SPDX-License-Identifier: Apache-2.0
// Reads several jobs: each is checked as a scenario of its own on its part of the cluster.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "load_jobs.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "railwright/simulation/scenario/power_checks.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "railwright/workloads/jobs/jobs_scenario_fields.hpp"

namespace railwright::simulation {

namespace {

/// Keys of a job that a scenario lacks.
constexpr std::array<std::string_view, 3> kOfJobOnly{"start", "nodes", "count"};

core::Node number_of_nodes(int number, const core::Location& where) {
  core::Node node = core::to_node(number);
  node.where = where;
  return node;
}

/// Keys of the scenario that each of its jobs has too.
constexpr std::array<std::string_view, 3> kOfAllJobs{"cluster", "reliability", "power"};

/// Returns the job as a scenario with its part of the cluster.
core::Node scenario_of(const core::Node& tree, const core::Node& job, int num_nodes) {
  core::Node scenario = job;
  std::erase_if(scenario.entries, [](const core::Entry& entry) {
    return std::ranges::find(kOfJobOnly, entry.key) != kOfJobOnly.end();
  });
  for (const core::Entry& entry : tree.entries) {
    if (entry.key == "reliability" || entry.key == "power") scenario.entries.push_back(entry);
    if (entry.key != "cluster") continue;
    core::Entry cluster = entry;
    // Faults name devices of the whole cluster; read_cluster() checks them.
    std::erase_if(cluster.value.entries,
                  [](const core::Entry& key) { return key.key == "faults"; });
    for (core::Entry& key : cluster.value.entries) {
      if (key.key == "nodes") key.value = number_of_nodes(num_nodes, key.where);
    }
    scenario.entries.push_back(std::move(cluster));
  }
  return scenario;
}

/// Reports keys that a training or a load lacks.
void check_keys(const core::Node& tree, const JobsScenario& scenario, core::Reader& reader) {
  struct Missing {
    std::string_view key;
    std::string_view gives;
  };
  constexpr std::array<Missing, 3> kOfTraining{
      {{"nodes", "Nodes of the job, or of each."},
       {"workload",
        "What is trained, and how much of it. Where only its load on the storage is "
        "known: load: {write: 1 TB, every: 30 min, read: 3 GB/s}"},
       {"software", "The stack's recipe, by catalogue name."}}};
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const core::Node& entry = tree.find("jobs")->items[j];
    const JobOfMany& job = scenario.jobs[j];
    if (job.load) {
      check_load(entry, job, fmt::format("jobs[{}]", j), reader);
      continue;
    }
    for (const Missing& missing : kOfTraining) {
      if (entry.find(missing.key) != nullptr) continue;
      reader.report(entry.where, fmt::format("jobs[{}]", j),
                    fmt::format("missing key '{}'", missing.key),
                    fmt::format("it gives: {}", missing.gives));
    }
  }
  const bool has_load =
      std::ranges::any_of(scenario.jobs, [](const JobOfMany& job) { return job.load.has_value(); });
  if (has_load && !scenario.cluster.storage) {
    reader.report(tree.find("cluster")->where, "cluster.storage",
                  "missing: a load is one on the storage");
  }
}

/// Gives loads that do not say on how many nodes they are those that no other job takes.
void share_nodes(JobsScenario& scenario) {
  int left = scenario.cluster.num_nodes;
  int sharing = 0;
  for (const JobOfMany& job : scenario.jobs) {
    left -= job.num_nodes * job.count;
    if (job.num_nodes == 0) sharing += job.count;
  }
  for (JobOfMany& job : scenario.jobs) {
    if (job.num_nodes == 0) job.num_nodes = std::max(1, left / sharing);
  }
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

/// Reads the fields of all jobs, and checks what they ask of one another.
JobsScenario read_jobs_scenario(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  JobsScenario scenario;
  reader.read(tree, "", scenario);
  if (reader.diagnostics().empty()) check_keys(tree, scenario, reader);
  if (reader.diagnostics().empty()) {
    share_nodes(scenario);
    check_nodes(tree, scenario, reader);
  }
  if (reader.diagnostics().empty()) {
    check_power(scenario.cluster.node, scenario.power, {tree, reader});
    check_plan(tree, scenario, reader);
  }
  if (reader.diagnostics().empty()) check_plans_of_jobs(tree, reader);
  if (reader.diagnostics().empty() && scenario.jobs.empty()) {
    reader.report(tree.find("jobs")->where, "jobs", "needs at least one job");
  }
  reader.throw_if_any();
  return scenario;
}

/// Places a problem of a job's own keys at this job.
core::Diagnostic of_job(std::size_t job, core::Diagnostic problem) {
  const std::string_view path = problem.path;
  const bool is_of_all =
      std::ranges::any_of(kOfAllJobs, [&](std::string_view key) { return path.starts_with(key); });
  if (!path.empty() && !is_of_all) problem.path = fmt::format("jobs[{}].{}", job, path);
  return problem;
}

/// Reads each job as a scenario of its own.
CheckedJobs check_jobs(const core::Node& tree, const JobsScenario& scenario,
                       const core::Catalogue& catalogue) {
  CheckedJobs checked{.cluster = read_cluster(tree, catalogue),
                      .jobs = {},
                      .run = scenario.run,
                      .power = scenario.power};
  std::vector<core::Diagnostic> problems;
  const std::vector<core::Node>& jobs = tree.find("jobs")->items;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const JobOfMany& job = scenario.jobs[j];
    try {
      const int num_accelerators =
          job.num_nodes * checked.cluster.cluster.node.num_accelerators.value;
      const core::Node entry = job.load ? as_training(jobs[j], num_accelerators) : jobs[j];
      CheckedScenario own = read_scenario(scenario_of(tree, entry, job.num_nodes), catalogue);
      if (job.load) shape_load(*job.load, own);
      checked.jobs.push_back(
          {.checked = std::move(own), .start = job.start, .count = job.count, .load = job.load});
    } catch (const core::ConfigError& error) {
      for (const core::Diagnostic& one : error.diagnostics()) problems.push_back(of_job(j, one));
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return checked;
}

}  // namespace

CheckedJobs read_jobs(const core::Node& tree, const core::Catalogue& catalogue) {
  return check_jobs(tree, read_jobs_scenario(tree, catalogue), catalogue);
}

core::Node tree_of_job(const core::Node& tree, const CheckedJobs& checked, std::size_t entry) {
  const int num_nodes = checked.jobs[entry].checked.scenario.cluster.num_nodes;
  return scenario_of(tree, tree.find("jobs")->items[entry], num_nodes);
}

core::Node complete_jobs(const core::Node& tree, const core::Catalogue& catalogue) {
  JobsScenario scenario = read_jobs_scenario(tree, catalogue);
  const CheckedJobs checked = check_jobs(tree, scenario, catalogue);
  for (std::size_t j = 0; j < checked.jobs.size(); ++j) {
    const Scenario& found = checked.jobs[j].checked.scenario;
    JobOfMany& job = scenario.jobs[j];
    if (job.load) continue;
    job.workload = found.workload;
    job.parallelism = found.parallelism;
    job.software = found.software;
    job.installation = found.installation;
    job.checkpoint = found.checkpoint;
    job.data = found.data;
    job.run = found.run;
  }
  core::Node complete = core::to_node(scenario);
  std::vector<core::Node>& entries = complete.find("jobs")->items;
  for (std::size_t j = 0; j < entries.size(); ++j) {
    if (scenario.jobs[j].load) keep_load_alone(entries[j]);
  }
  return complete;
}

}  // namespace railwright::simulation
