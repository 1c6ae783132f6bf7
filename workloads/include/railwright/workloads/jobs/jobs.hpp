// SPDX-License-Identifier: Apache-2.0
// Several jobs on one cluster and one storage: the time of each, alone and with the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/money/ownership.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/workloads/jobs/jobs_power.hpp"
#include "railwright/workloads/jobs/storage_load.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

struct CheckedJobs;

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

/// Nodes of one kind, and what their jobs did there; without a name if all nodes are of one kind.
/// Powers and energies are of nodes alone, with what the building adds.
struct PoolRun {
  std::string name;
  std::string node;  ///< catalogue name
  int num_nodes = 0;
  std::int64_t num_accelerators = 0;
  core::Power mean_power;                      ///< until the last job of all pools ends
  core::Energy energy;                         ///< of nodes while they have a job
  core::Duration node_time;                    ///< in which nodes have a job, summed over nodes
  double tokens = 0.0;                         ///< that jobs train on here; 0 for images
  double tokens_per_s = 0.0;                   ///< while all its jobs run
  std::optional<models::Ownership> ownership;  ///< of its nodes and fabric, if there are prices
  core::Money per_million_tokens;              ///< for the time of nodes with a job

  [[nodiscard]] core::Energy energy_per_token() const { return energy * (1.0 / tokens); }
};

/// One pool's part of a job that runs on two.
struct PartOfStep {
  std::string pool;
  int num_replicas = 0;   ///< data-parallel ones on its nodes
  int micro_batches = 0;  ///< of each replica, in a step
  core::Duration time;    ///< of its part, before pools exchange gradients
};

/// A division of the micro-batches of a step among pools.
struct Division {
  std::vector<PartOfStep> parts;
  core::Duration step_time;  ///< of the slowest part, and the exchange
};

/// A step of a job that runs on two pools.
struct DividedStep {
  std::string job;
  std::size_t index = 0;    ///< among all jobs
  core::Duration exchange;  ///< of gradients between pools
  Division even;            ///< replicas have micro-batches alike, so the slower pool sets the pace
  Division balanced;        ///< the fastest of those that use every micro-batch
  bool is_balanced = false;  ///< which of them the job runs with
};

/// Result of all jobs. The lists have each job of a `count`.
struct JobsResult {
  std::string name;
  std::int64_t num_jobs = 0;
  std::int64_t num_accelerators = 0;  ///< of the cluster
  std::string storage_node;           ///< catalogue name; empty without storage
  std::vector<Infeasibility> infeasible;
  std::vector<core::Duration> step_times;        ///< beside the others' mean traffic
  std::vector<core::Duration> step_times_alone;  ///< on the same nodes, others silent
  RunResult run;                                 ///< all of them together
  std::vector<core::Duration> alone;             ///< training times with the cluster to itself
  std::vector<StepInterval> step_intervals;
  std::vector<JobPlace> places;
  std::vector<PoolRun> pools;
  /// Costs of storage, front end and other nodes, which no pool has alone; if there are prices.
  std::optional<models::Ownership> shared_ownership;
  std::vector<DividedStep> divided_steps;
  std::string prices;  ///< source and date of the prices; "" if they do not say
  std::vector<std::optional<StorageLoad>> loads;  ///< nothing for a training
  JobsPower power;  ///< zero if a job is a load: nobody knows what its nodes compute

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
  [[nodiscard]] bool is_load(std::size_t job) const {
    return job < loads.size() && loads[job].has_value();
  }
  [[nodiscard]] bool has_load() const;
};

/// Simulates each job's step on its nodes of the fabric, alone and beside the mean traffic of the
/// others, then all runs together: jobs share the storage and the links between switches.
JobsResult simulate(const CheckedJobs& checked, const SimulateOptions& options = {});

/// Returns the time from the start of the clock until the last job ends; means over replications.
core::Duration makespan(const JobsResult& result);
/// Returns the training time of each job over that with the cluster to itself.
std::vector<double> slowdowns(const JobsResult& result);

/// Returns what it costs to own all pools and what they share; 0 without prices.
core::Money total_cost(const JobsResult& result);

/// Returns all numbers of several jobs together, in the order of the JSON.
const Numbers<JobsResult>& jobs_numbers();
std::vector<Output> outputs(const JobsResult& result);

}  // namespace railwright::simulation
