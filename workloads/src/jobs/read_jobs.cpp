// SPDX-License-Identifier: Apache-2.0
// Reads several jobs: each is checked as a scenario of its own on its part of the cluster.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "load_jobs.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "railwright/simulation/scenario/pools.hpp"
#include "railwright/simulation/scenario/power_checks.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "railwright/workloads/jobs/jobs_scenario_fields.hpp"

namespace railwright::simulation {

namespace {

/// Keys of a job that a scenario lacks.
constexpr std::array<std::string_view, 6> kOfJobOnly{"start", "pool",  "nodes",
                                                     "pools", "count", "division"};

core::Node whole_number(std::int64_t number, const core::Location& where) {
  core::Node node = core::to_node(number);
  node.where = where;
  return node;
}

/// Keys of the scenario that each of its jobs has too.
constexpr std::array<std::string_view, 3> kOfAllJobs{"cluster", "reliability", "power"};

/// Nodes of a job in one pool, and its share of the samples of a step.
struct Part {
  std::size_t pool = 0;
  int num_nodes = 0;
  std::optional<std::int64_t> global_batch;  ///< the job's where absent
};

/// Returns the part of a job as a scenario with its part of the cluster.
core::Node scenario_of(const core::Node& tree, const core::Node& job, const Part& part) {
  core::Node scenario = job;
  std::erase_if(scenario.entries, [](const core::Entry& entry) {
    return std::ranges::find(kOfJobOnly, entry.key) != kOfJobOnly.end();
  });
  for (core::Entry& entry : scenario.entries) {
    if (entry.key != "workload" || !part.global_batch) continue;
    for (core::Entry& key : entry.value.entries) {
      if (key.key == "global_batch") key.value = whole_number(*part.global_batch, key.where);
    }
  }
  const core::Node whole = has_pools(tree) ? tree_of_pool(tree, part.pool) : tree;
  for (const core::Entry& entry : whole.entries) {
    if (entry.key == "reliability" || entry.key == "power") scenario.entries.push_back(entry);
    if (entry.key != "cluster") continue;
    core::Entry cluster = entry;
    // Faults name devices of the whole cluster, which read_pools() checks.
    std::erase_if(cluster.value.entries,
                  [](const core::Entry& key) { return key.key == "faults"; });
    for (core::Entry& key : cluster.value.entries) {
      if (key.key == "nodes") key.value = whole_number(part.num_nodes, key.where);
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
  constexpr std::array<Missing, 2> kOfTraining{
      {{"workload",
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
  if (has_load && scenario.prices) {
    reader.report(
        tree.find("prices")->where, "prices",
        "has no effect: nobody knows what the nodes of a load compute, and what they cost "
        "a token");
  }
}

/// Gives loads that do not say on how many nodes they are those that no other job of their pool
/// takes.
void share_nodes(JobsScenario& scenario) {
  struct Free {
    int left = 0;
    int sharing = 0;
  };
  std::map<std::string, Free> pools;
  pools[""].left = scenario.cluster.num_nodes;
  if (scenario.cluster.pools) {
    for (const topologies::NodePool& pool : *scenario.cluster.pools) {
      pools[pool.name].left = pool.num_nodes;
    }
  }
  for (const JobOfMany& job : scenario.jobs) {
    if (job.pools) {
      for (const auto& [pool, nodes] : *job.pools) pools[pool].left -= nodes * job.count;
      continue;
    }
    Free& own = pools[job.pool.value_or("")];
    own.left -= job.num_nodes * job.count;
    if (job.num_nodes == 0) own.sharing += job.count;
  }
  for (JobOfMany& job : scenario.jobs) {
    if (!job.load || job.num_nodes > 0) continue;
    const Free& own = pools[job.pool.value_or("")];
    job.num_nodes = std::max(1, own.left / own.sharing);
  }
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

/// Keys of `run` that are of all jobs.
constexpr std::array<std::string_view, 7> kOfAllRuns{
    "incidents", "num_spares", "replicas", "seed", "other_loads", "targets", "optimize_interval"};

/// Reports keys of a job's own `run` that only that of all jobs has a use for.
void check_plans_of_jobs(const core::Node& tree, core::Reader& reader) {
  const std::vector<core::Node>& jobs = tree.find("jobs")->items;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const core::Node* run = jobs[j].find("run");
    if (run == nullptr) continue;
    for (const std::string_view key : kOfAllRuns) {
      const core::Node* value = run->find(key);
      if (value == nullptr) continue;
      reader.report(value->where, fmt::format("jobs[{}].run.{}", j, key),
                    "has no effect: chance, incidents and storage are those of all jobs",
                    fmt::format("move it to the scenario's own `run`: run.{}", key));
    }
  }
}

/// Returns the names of pools; none if nodes are of one kind.
std::vector<std::string> names_of(const JobsScenario& scenario) {
  std::vector<std::string> names;
  if (!scenario.cluster.pools) return names;
  for (const topologies::NodePool& pool : *scenario.cluster.pools) names.push_back(pool.name);
  return names;
}

/// Says where jobs of a scenario run, and reports what they leave open or contradict.
class PlaceChecks {
 public:
  PlaceChecks(const core::Node& tree, const JobsScenario& scenario, core::Reader& reader)
      : tree_(tree), scenario_(scenario), reader_(reader), names_(names_of(scenario)) {}

  void check() {
    for (std::size_t j = 0; j < scenario_.jobs.size(); ++j) check_job(j);
    if (names_.empty() || scenario_.run.num_spares == 0) return;
    const core::Node& spares = *tree_.find("run")->find("num_spares");
    reader_.report(spares.where, "run.num_spares",
                   "does not say of which pool: leave it out; a job of a pool waits until its node "
                   "is repaired");
  }

 private:
  void check_job(std::size_t j) {
    const JobOfMany& job = scenario_.jobs[j];
    const core::Node& keys = tree_.find("jobs")->items[j];
    const auto path = [&](std::string_view key) { return fmt::format("jobs[{}].{}", j, key); };
    const bool is_divided = job.pools.has_value();
    if (names_.empty()) {
      for (const char* key : {"pool", "pools"}) {
        const core::Node* given = keys.find(key);
        if (given == nullptr) continue;
        reader_.report(given->where, path(key),
                       "names a pool, and the cluster has nodes of one kind",
                       "leave it out, or write the cluster as cluster.pools");
      }
    } else if (is_divided) {
      check_pools_of(job, keys, path("pools"));
    } else if (!job.pool) {
      reader_.report(keys.where, fmt::format("jobs[{}]", j), "missing key 'pool'",
                     fmt::format("it gives: the pool whose nodes it takes, one of {}",
                                 fmt::join(names_, ", ")));
    } else if (std::ranges::find(names_, *job.pool) == names_.end()) {
      reader_.report_unknown_name("pool", *keys.find("pool"), path("pool"), names_);
    }
    for (const char* key : {"pool", "nodes"}) {
      const core::Node* given = keys.find(key);
      if (!is_divided || given == nullptr) continue;
      reader_.report(given->where, path(key), "has no place beside pools, which give both");
    }
    if (!is_divided && !job.load && keys.find("nodes") == nullptr) {
      reader_.report(keys.where, fmt::format("jobs[{}]", j), "missing key 'nodes'",
                     "it gives: Nodes of the job, or of each.");
    }
    if (!is_divided && job.division != StepDivision::kEven) {
      reader_.report(keys.find("division")->where, path("division"),
                     "is of a job on two pools: give pools");
    }
  }

  void check_pools_of(const JobOfMany& job, const core::Node& keys, const std::string& path) {
    const core::Node& pools = *keys.find("pools");
    if (job.pools->size() != 2) {
      reader_.report(
          pools.where, path,
          fmt::format("needs two pools with the nodes in each, got {}", job.pools->size()));
    }
    for (const core::Entry& entry : pools.entries) {
      if (std::ranges::find(names_, entry.key) != names_.end()) continue;
      core::Node name = core::text_node(entry.key);
      name.where = entry.where;
      reader_.report_unknown_name("pool", name, path, names_);
    }
    if (!scenario_.cluster.between_pools) {
      reader_.report(tree_.find("cluster")->where, "cluster", "missing key 'between_pools'",
                     fmt::format("it gives: the bandwidth between the fabrics of two pools, over "
                                 "which '{}' exchanges gradients",
                                 job.name));
    }
    if (scenario_.reliability) {
      reader_.report(pools.where, path,
                     "failures of a job on two pools are not simulated: leave out `reliability`");
    }
    for (std::size_t i = 0; i < scenario_.run.incidents.size(); ++i) {
      const Incident& incident = scenario_.run.incidents[i];
      const bool strikes = incident.job == job.name ||
                           (incident.job.empty() && job.name == scenario_.jobs.front().name);
      if (models::is_shared(incident.component) || !strikes) continue;
      reader_.report(
          tree_.find("run")->find("incidents")->items[i].where, fmt::format("run.incidents[{}]", i),
          fmt::format("strikes '{}', and failures of a job on two pools are not simulated",
                      job.name));
    }
    if (job.run.step_time) {
      reader_.report(keys.find("run")->where, path,
                     "the step of a job on two pools follows from its parts: leave out "
                     "run.step_time");
    }
  }

  const core::Node& tree_;
  const JobsScenario& scenario_;
  core::Reader& reader_;
  std::vector<std::string> names_;
};

/// Checks the power of the nodes of each pool.
void check_powers(const core::Node& tree, const JobsScenario& scenario, core::Reader& reader) {
  if (!scenario.cluster.pools) {
    return check_power(scenario.cluster.node, scenario.power, {tree, reader});
  }
  for (std::size_t p = 0; p < scenario.cluster.pools->size(); ++p) {
    const core::Node own = tree_of_pool(tree, p);
    core::Reader of_pool;
    check_power((*scenario.cluster.pools)[p].node, scenario.power, {own, of_pool});
    for (core::Diagnostic one : of_pool.diagnostics()) {
      one = at_pool(p, std::move(one));
      reader.report(one.where, std::move(one.path), std::move(one.message), std::move(one.hint));
    }
  }
}

/// Reads the fields of all jobs, and checks what they ask of one another.
JobsScenario read_jobs_scenario(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  JobsScenario scenario;
  reader.read(tree, "", scenario);
  check_pools(tree, scenario.cluster, reader);
  if (reader.diagnostics().empty()) check_keys(tree, scenario, reader);
  if (reader.diagnostics().empty()) PlaceChecks(tree, scenario, reader).check();
  if (reader.diagnostics().empty()) share_nodes(scenario);
  if (reader.diagnostics().empty()) {
    check_powers(tree, scenario, reader);
    check_plan(tree, scenario, reader);
    if (scenario.prices) check_prices(tree, catalogue, reader);
  }
  if (reader.diagnostics().empty()) check_plans_of_jobs(tree, reader);
  if (reader.diagnostics().empty() && scenario.jobs.empty()) {
    reader.report(tree.find("jobs")->where, "jobs", "needs at least one job");
  }
  reader.throw_if_any();
  return scenario;
}

/// Places a problem of a job's own keys at this job, and one of its cluster at its pool.
core::Diagnostic of_job(std::size_t job, const core::Node& tree, const Part& part,
                        core::Diagnostic problem) {
  const std::string_view path = problem.path;
  const bool is_of_all =
      std::ranges::any_of(kOfAllJobs, [&](std::string_view key) { return path.starts_with(key); });
  if (is_of_all && has_pools(tree)) return at_pool(part.pool, std::move(problem));
  if (!path.empty() && !is_of_all) problem.path = fmt::format("jobs[{}].{}", job, path);
  return problem;
}

/// Returns the parts of a job on two pools, each with the micro-batches of its replicas, all of
/// which have as many. Throws ConfigError if they cannot.
std::vector<Part> divided(const core::Node& keys, const JobOfMany& job, std::size_t j,
                          std::span<const topologies::Pool> pools) {
  const models::Parallelism& ranks = job.parallelism;
  const std::int64_t of_replica = std::int64_t{ranks.tp} * ranks.cp * ranks.pp;
  const auto refuse = [&](std::string_view key, std::string message) {
    throw core::ConfigError(
        {{keys.where, fmt::format("jobs[{}].{}", j, key), std::move(message), {}}});
  };
  std::vector<Part> parts;
  std::vector<std::int64_t> replicas;
  std::int64_t num_replicas = 0;
  for (std::size_t p = 0; p < pools.size(); ++p) {
    const auto own = job.pools->find(pools[p].name);
    if (own == job.pools->end()) continue;
    const std::int64_t accelerators =
        std::int64_t{own->second} * pools[p].cluster.node.num_accelerators.value;
    if (accelerators % of_replica != 0) {
      refuse("pools", fmt::format("the {} accelerators of {} hold no whole number of replicas of "
                                  "tp x cp x pp = {}",
                                  accelerators, pools[p].name, of_replica));
    }
    parts.push_back({.pool = p, .num_nodes = own->second, .global_batch = {}});
    replicas.push_back(accelerators / of_replica);
    num_replicas += replicas.back();
  }
  const std::int64_t of_all = num_replicas * job.workload.micro_batch;
  if (job.workload.global_batch % of_all != 0) {
    refuse("workload.global_batch",
           fmt::format("{} is no multiple of {}: micro_batch {} of {} replicas in both pools",
                       job.workload.global_batch, of_all, job.workload.micro_batch, num_replicas));
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p].global_batch = job.workload.global_batch / num_replicas * replicas[p];
  }
  return parts;
}

std::vector<Part> parts_of(const core::Node& keys, const JobOfMany& job, std::size_t j,
                           std::span<const topologies::Pool> pools) {
  if (job.pools) return divided(keys, job, j, pools);
  Part part{.pool = 0, .num_nodes = job.num_nodes, .global_batch = {}};
  if (job.pool) {
    const auto own = std::ranges::find(pools, *job.pool, &topologies::Pool::name);
    part.pool = static_cast<std::size_t>(own - pools.begin());
  }
  return {part};
}

/// Reads each job as a scenario of its own, or as one in each of its pools.
CheckedJobs check_jobs(const core::Node& tree, const JobsScenario& scenario,
                       const core::Catalogue& catalogue) {
  CheckedJobs checked{.name = scenario.name,
                      .pools = read_pools(tree, catalogue),
                      .between_pools = scenario.cluster.between_pools,
                      .jobs = {},
                      .run = scenario.run,
                      .power = scenario.power,
                      .prices = scenario.prices};
  std::vector<core::Diagnostic> problems;
  const std::vector<core::Node>& jobs = tree.find("jobs")->items;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const JobOfMany& job = scenario.jobs[j];
    const std::vector<Part> parts = parts_of(jobs[j], job, j, checked.pools);
    std::vector<JobPart> read;
    for (const Part& part : parts) {
      try {
        const core::Node entry =
            job.load ? as_training(jobs[j],
                                   part.num_nodes *
                                       checked.pools[part.pool].cluster.node.num_accelerators.value)
                     : jobs[j];
        read.push_back({.checked = read_scenario(scenario_of(tree, entry, part), catalogue),
                        .pool = part.pool});
        if (job.load) shape_load(*job.load, read.back().checked);
      } catch (const core::ConfigError& error) {
        for (const core::Diagnostic& one : error.diagnostics()) {
          problems.push_back(of_job(j, tree, part, one));
        }
      }
    }
    if (read.size() < parts.size()) continue;
    checked.jobs.push_back({.checked = std::move(read.front().checked),
                            .start = job.start,
                            .count = job.count,
                            .pool = read.front().pool,
                            .is_balanced = job.division == StepDivision::kBalanced,
                            .load = job.load});
    read.erase(read.begin());
    checked.jobs.back().others = std::move(read);
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return checked;
}

/// Keys of a cluster that one with pools has not.
constexpr std::array<std::string_view, 5> kOfOneKind{"nodes", "node", "fabric", "faults",
                                                     "placement"};

void erase(core::Node& mapping, std::span<const std::string_view> keys) {
  std::erase_if(mapping.entries, [&](const core::Entry& entry) {
    return std::ranges::find(keys, entry.key) != keys.end();
  });
}

}  // namespace

void CheckedJobs::change_storage(const std::function<void(topologies::StorageCluster&)>& change) {
  for (topologies::Pool& pool : pools) change(*pool.cluster.storage);
  for (CheckedJob& job : jobs) {
    change(*job.checked.scenario.cluster.storage);
    for (JobPart& part : job.others) change(*part.checked.scenario.cluster.storage);
  }
}

CheckedJobs read_jobs(const core::Node& tree, const core::Catalogue& catalogue) {
  return check_jobs(tree, read_jobs_scenario(tree, catalogue), catalogue);
}

core::Node tree_of_job(const core::Node& tree, const CheckedJobs& checked, std::size_t entry) {
  const CheckedJob& job = checked.jobs[entry];
  return scenario_of(
      tree, tree.find("jobs")->items[entry],
      {.pool = job.pool, .num_nodes = job.checked.scenario.cluster.num_nodes, .global_batch = {}});
}

core::Node complete_jobs(const core::Node& tree, const core::Catalogue& catalogue) {
  JobsScenario scenario = read_jobs_scenario(tree, catalogue);
  const CheckedJobs checked = check_jobs(tree, scenario, catalogue);
  for (std::size_t j = 0; j < checked.jobs.size(); ++j) {
    const Scenario& found = checked.jobs[j].checked.scenario;
    JobOfMany& job = scenario.jobs[j];
    if (job.load) continue;
    const int global_batch = job.workload.global_batch;
    job.workload = found.workload;
    job.workload.global_batch = global_batch;  // not the part's
    job.parallelism = found.parallelism;
    job.software = found.software;
    job.installation = found.installation;
    job.checkpoint = found.checkpoint;
    job.data = found.data;
    job.run = found.run;
  }
  core::Node complete = core::to_node(scenario);
  for (core::Entry& entry : complete.entries) {
    if (entry.key == "cluster" && has_pools(tree)) erase(entry.value, kOfOneKind);
    if (entry.key != "jobs") continue;
    for (std::size_t j = 0; j < entry.value.items.size(); ++j) {
      core::Node& job = entry.value.items[j];
      if (scenario.jobs[j].load) keep_load_alone(job);
      if (scenario.jobs[j].pools) erase(job, std::array<std::string_view, 1>{"nodes"});
      for (core::Entry& key : job.entries) {
        if (key.key == "run") erase(key.value, kOfAllRuns);
      }
    }
  }
  return complete;
}

}  // namespace railwright::simulation
