// SPDX-License-Identifier: Apache-2.0
// Several jobs on one cluster and one storage: the time of each, alone and with the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/jobs/jobs_power.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// One job, or several identical ones, each on nodes of its own.
struct JobOfMany {
  std::string name;
  core::Duration start;
  int num_nodes = 0;
  int count = 1;
  models::Training workload;
  models::Parallelism parallelism;
  models::SoftwareProfile software;
  models::Installation installation;
  CheckpointPlan checkpoint;
  DataPlan data;
  RunPlan run;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("name", &JobOfMany::name, "The job in a few words."),
        field("start", &JobOfMany::start, "From the start of the clock.", core::non_negative,
              optional),
        field("nodes", &JobOfMany::num_nodes, "Nodes of the job, or of each.",
              core::between(1, 65536)),
        field("count", &JobOfMany::count, "Jobs alike, each on nodes of its own.",
              core::between(1, 1000), optional),
        field("workload", &JobOfMany::workload, "What is trained, and how much of it."),
        field("parallelism", &JobOfMany::parallelism, "How it is divided over accelerators.",
              optional),
        field("software", &JobOfMany::software, "The stack's recipe, by catalogue name."),
        field("installation", &JobOfMany::installation, "The site, by catalogue name.", optional),
        field("checkpoint", &JobOfMany::checkpoint, "When checkpoints are written.", optional),
        field("data", &JobOfMany::data, "Where the samples come from.", optional),
        field("run", &JobOfMany::run, "Phases around the steps of this job.", optional));
  }
};

/// A scenario with `jobs` in place of `workload`.
struct JobsScenario {
  std::string name;
  topologies::Cluster cluster;
  std::vector<JobOfMany> jobs;
  std::optional<models::Reliability> reliability;
  RunPlan run;
  models::PowerPlan power;
  std::optional<SweepSpace> sweep;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("name", &JobsScenario::name, "The scenario in a few words."),
        field("cluster", &JobsScenario::cluster, "Nodes, fabric and storage of all jobs."),
        field("jobs", &JobsScenario::jobs, "The jobs; nodes are given out in their order."),
        field("reliability", &JobsScenario::reliability,
              "How often parts fail, by catalogue name; nothing fails where absent."),
        field("run", &JobsScenario::run, "Spares, incidents and chance.", core::optional),
        field("power", &JobsScenario::power, "A cap on nodes, and what the building adds.",
              core::optional),
        field("sweep", &JobsScenario::sweep, "The points of `sweep`."));
  }
};

/// A job on its part of the cluster, as a scenario of its own.
struct CheckedJob {
  CheckedScenario checked;
  core::Duration start;
  int count = 1;
};

struct CheckedJobs {
  CheckedCluster cluster;
  std::vector<CheckedJob> jobs;
  RunPlan run;
  models::PowerPlan power;  ///< each job's too
};

/// The 80 % interval of a job's step, as factors; both 1 if the step or the site was measured.
struct StepInterval {
  double low = 1.0;
  double high = 1.0;
};

/// When a job starts, and on how many nodes.
struct JobPlace {
  core::Duration start;  ///< from the start of the clock
  int num_nodes = 0;
};

/// Result of all jobs. The lists have each job of a `count`.
struct JobsResult {
  std::string name;
  std::int64_t num_jobs = 0;
  std::int64_t num_accelerators = 0;  ///< of the cluster
  std::vector<Infeasibility> infeasible;
  std::vector<core::Duration> step_times;        ///< beside the others' mean traffic
  std::vector<core::Duration> step_times_alone;  ///< on the same nodes, others silent
  RunResult run;                                 ///< all of them together
  std::vector<core::Duration> alone;             ///< training times with the cluster to itself
  std::vector<StepInterval> step_intervals;
  std::vector<JobPlace> places;
  JobsPower power;

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
};

/// Reads a scenario of jobs; throws ConfigError with every problem.
CheckedJobs read_jobs(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns an entry of `jobs` as a scenario of its own, on its part of the cluster. `checked` is
/// what read_jobs() returns for `tree`.
core::Node tree_of_job(const core::Node& tree, const CheckedJobs& checked, std::size_t entry);

/// Returns the scenario with every key that read_jobs() finds for it. Throws ConfigError with every
/// problem.
core::Node complete_jobs(const core::Node& tree, const core::Catalogue& catalogue);

/// Simulates each job's step on its nodes of the fabric, alone and beside the mean traffic of the
/// others, then all runs together: jobs share the storage and the links between switches.
JobsResult simulate(const CheckedJobs& checked, const SimulateOptions& options = {});

/// Returns the time from the start of the clock until the last job ends; means over replications.
core::Duration makespan(const JobsResult& result);
/// Returns the training time of each job over that with the cluster to itself.
std::vector<double> slowdowns(const JobsResult& result);

/// Returns all numbers of several jobs together, in the order of the JSON.
const Numbers<JobsResult>& jobs_numbers();
std::vector<Output> outputs(const JobsResult& result);

}  // namespace railwright::simulation
