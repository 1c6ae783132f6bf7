// SPDX-License-Identifier: Apache-2.0
// A scenario of several jobs: what is written, and what becomes of it when it is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/jobs/storage_load.hpp"

namespace railwright::simulation {

/// One job, or several identical ones, each on nodes of its own: a training, or a load.
struct JobOfMany {
  std::string name;
  core::Duration start;
  int num_nodes = 0;
  int count = 1;
  std::optional<StorageLoad> load;
  models::Training workload;
  models::Parallelism parallelism;
  models::SoftwareProfile software;
  models::Installation installation;
  CheckpointPlan checkpoint;
  DataPlan data;
  RunPlan run;

  static constexpr auto fields();
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

  static constexpr auto fields();
};

/// A job on its part of the cluster, as a scenario of its own.
struct CheckedJob {
  CheckedScenario checked;
  core::Duration start;
  int count = 1;
  std::optional<StorageLoad> load{};  ///< of a job of which no more is known
};

struct CheckedJobs {
  CheckedCluster cluster;
  std::vector<CheckedJob> jobs;
  RunPlan run;
  models::PowerPlan power;  ///< each job's too
};

/// Reads a scenario of jobs; throws ConfigError with every problem.
CheckedJobs read_jobs(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns an entry of `jobs` as a scenario of its own, on its part of the cluster. `checked` is
/// what read_jobs() returns for `tree`.
core::Node tree_of_job(const core::Node& tree, const CheckedJobs& checked, std::size_t entry);

/// Returns the scenario with every key that read_jobs() finds for it. Throws ConfigError with every
/// problem.
core::Node complete_jobs(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
