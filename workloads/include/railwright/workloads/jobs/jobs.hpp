// SPDX-License-Identifier: Apache-2.0
// Several jobs on one cluster and one storage: the time of each, alone and with the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/units/quantity.hpp"
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

/// Returns all numbers of several jobs together, in the order of the JSON.
const Numbers<JobsResult>& jobs_numbers();
std::vector<Output> outputs(const JobsResult& result);

}  // namespace railwright::simulation
