// SPDX-License-Identifier: Apache-2.0
// Many jobs that wait for the accelerators of one cluster: a scheduler's queue over weeks, with
// failures and power. A job is a number of accelerators and a time; what it computes is not asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/models/power/node_power.hpp"
#include "railwright/models/reliability/reliability.hpp"
#include "railwright/simulation/results/percentiles.hpp"
#include "railwright/simulation/results/result_column.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/sweep_space.hpp"

namespace railwright::simulation {

enum class QueuePolicy : std::uint8_t {
  kFifo,      ///< the first job waits for room, all others for it
  kBackfill,  ///< others may pass the first one if they do not delay it [@lifka1995anl]
};

constexpr auto enum_words(QueuePolicy) {
  using enum QueuePolicy;
  return core::words<QueuePolicy>({{"fifo", kFifo}, {"backfill", kBackfill}});
}

enum class NodeChoice : std::uint8_t {
  kFirstFit,  ///< the first nodes with room
  kBestFit,   ///< the fullest node, and nodes of as few leaves as can be
};

constexpr auto enum_words(NodeChoice) {
  using enum NodeChoice;
  return core::words<NodeChoice>({{"first_fit", kFirstFit}, {"best_fit", kBestFit}});
}

struct JobSize {
  int accelerators = 0;
  double share = 0.0;

  static constexpr auto fields();
};

/// Jobs that are drawn.
struct DrawnJobs {
  int jobs = 0;
  double jobs_per_hour = 0.0;
  std::vector<JobSize> sizes;
  core::Duration duration;
  double duration_spread = 2.0;
  std::optional<core::Duration> max_duration;
  double limit_over_duration = 1.0;
  int seed = 1;

  static constexpr auto fields();
};

struct JobQueue {
  QueuePolicy policy = QueuePolicy::kBackfill;
  NodeChoice placement = NodeChoice::kBestFit;
  std::string trace;
  std::optional<DrawnJobs> drawn;
  double spread_slowdown = 1.0;
  core::Duration checkpoint_interval = core::Duration::from_base(3600.0);
  std::optional<core::Power> power_cap;
  std::optional<core::Duration> max_wait;
  double percentile = 0.9;

  static constexpr auto fields();
};

/// A scenario with `queue` in place of `workload`.
struct QueueScenario {
  std::string name;
  JobQueue queue;
  topologies::Cluster cluster;
  std::optional<models::Reliability> reliability;
  models::PowerPlan power;
  std::optional<SweepSpace> sweep;

  static constexpr auto fields();
};

/// A job as it was submitted. Times in seconds.
struct QueuedJob {
  double submit = 0.0;
  int accelerators = 1;
  double duration = 0.0;  ///< that it runs without a failure
  double limit = 0.0;     ///< that the scheduler is told; at least `duration`
};

/// The course of a job. Times in seconds.
struct JobHistory {
  QueuedJob job;
  double start = -1.0;  ///< first start
  double end = -1.0;
  double ran = 0.0;  ///< time on accelerators, all attempts together
  int num_interruptions = 0;
  int num_leaves = 0;  ///< leaves of its last attempt
};

struct CheckedQueue {
  JobQueue queue;
  std::vector<QueuedJob> jobs;  ///< by submission
  CheckedCluster cluster;
  std::optional<models::Reliability> reliability;
  models::PowerPlan power;
};

/// Jobs of a range of sizes.
struct SizeClass {
  std::string name;
  std::int64_t num_jobs = 0;
  double share_of_time = 0.0;  ///< of all accelerator time that jobs took
  Percentiles wait;            ///< from submission to the first start
};

/// Means over one piece of the time.
struct QueueSample {
  core::Duration time;    ///< start of the piece
  double occupied = 0.0;  ///< accelerators with a job
  double waiting = 0.0;   ///< jobs that wait
  double wanted = 0.0;    ///< accelerators that these want
  core::Power power;      ///< of the nodes, with what the building adds
};

struct QueueResult {
  std::string name;
  std::vector<std::string> infeasible;
  std::int64_t num_jobs = 0;
  std::int64_t num_accelerators = 0;
  core::Duration duration;  ///< from the first submission to the last end
  // Means while jobs are submitted; over all of the time where all are at once.
  double occupied_fraction = 0.0;  ///< of accelerator time, with a job
  double useful_fraction = 0.0;  ///< of accelerator time, without what failures and spreading cost
  double down_fraction = 0.0;    ///< of node time, in repair
  core::Power mean_power;        ///< of the nodes, with what the building adds
  std::int64_t num_interruptions = 0;
  std::int64_t most_waiting = 0;  ///< jobs
  double spread_fraction = 0.0;   ///< of jobs of several nodes, on more leaves than they need
  Percentiles wait;
  std::vector<SizeClass> sizes;  ///< smallest first, those with jobs
  core::Power peak_power;
  core::Energy energy;  ///< of the nodes over all of the time, with what the building adds
  double carbon_intensity = 0.0;  ///< g of CO2 a kilowatt-hour
  std::vector<QueueSample> over_time;
  std::vector<JobHistory> histories;  ///< of the jobs, by submission

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
  /// Whether the jobs ran. They may still wait longer than is wanted.
  [[nodiscard]] bool has_run() const { return !histories.empty(); }
};

/// Reads a queue with its jobs. Throws ConfigError with every problem.
CheckedQueue read_queue(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the scenario with every key that read_queue() finds for it. Throws ConfigError with
/// every problem.
core::Node complete_queue(const core::Node& tree, const core::Catalogue& catalogue);

/// Runs all jobs through the cluster. A job is infeasible if the cluster never has so many
/// accelerators, or if it is interrupted more often than it can checkpoint.
QueueResult simulate(const CheckedQueue& checked);

/// Returns the course of each job, by submission, as columns of seconds and counts; none if the
/// jobs did not run.
std::vector<ResultColumn> job_columns(const QueueResult& result);

/// Returns all numbers of a queue, in the order of the JSON.
const Numbers<QueueResult>& queue_numbers();
std::vector<Output> outputs(const QueueResult& result);

}  // namespace railwright::simulation
