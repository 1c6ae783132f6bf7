// SPDX-License-Identifier: Apache-2.0
// A scenario of several jobs: what is written, and what becomes of it when it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/node_pool.hpp"
#include "railwright/topologies/pools.hpp"
#include "railwright/workloads/jobs/storage_load.hpp"

namespace railwright::simulation {

/// Ways in which replicas in two pools share the micro-batches of a step.
enum class StepDivision : std::uint8_t {
  kEven,      ///< as many for each replica
  kBalanced,  ///< more for replicas of the faster pool
};

constexpr auto enum_words(StepDivision) {
  using enum StepDivision;
  return core::words<StepDivision>({{"even", kEven}, {"balanced", kBalanced}});
}

/// Nodes by the name of their pool.
using NodesOfPools = std::map<std::string, int>;

/// One job, or several identical ones, each on nodes of its own: a training, or a load.
struct JobOfMany {
  std::string name;
  core::Duration start;
  std::optional<std::string> pool;
  int num_nodes = 0;
  std::optional<NodesOfPools> pools;
  StepDivision division = StepDivision::kEven;
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
  topologies::PooledCluster cluster;
  std::vector<JobOfMany> jobs;
  std::optional<models::Reliability> reliability;
  RunPlan run;
  models::PowerPlan power;
  std::optional<models::Prices> prices;
  std::optional<SweepSpace> sweep;

  static constexpr auto fields();
};

/// The part of a job that is in one pool.
struct JobPart {
  CheckedScenario checked;
  std::size_t pool = 0;
};

/// A job on its part of the cluster, as a scenario of its own. One on two pools has a part in each,
/// with the samples of a step that this part's replicas take.
struct CheckedJob {
  CheckedScenario checked;
  core::Duration start;
  int count = 1;
  std::size_t pool = 0;
  std::vector<JobPart> others{};      ///< in its further pools
  bool is_balanced = false;           ///< whether faster replicas take more micro-batches
  std::optional<StorageLoad> load{};  ///< of a job of which no more is known
};

struct CheckedJobs {
  std::string name;
  std::vector<topologies::Pool> pools;  ///< one without a name if nodes are of one kind
  std::optional<core::Bandwidth> between_pools;
  std::vector<CheckedJob> jobs;
  RunPlan run;
  models::PowerPlan power;  ///< each job's too
  std::optional<models::Prices> prices;

  /// Returns the storage that all pools share, if any.
  [[nodiscard]] const std::optional<topologies::StorageCluster>& storage() const {
    return pools.front().cluster.storage;
  }
  /// Changes the storage, which must be there, of all pools and jobs.
  void change_storage(const std::function<void(topologies::StorageCluster&)>& change);
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
