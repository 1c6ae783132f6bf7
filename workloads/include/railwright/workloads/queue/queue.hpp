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
#include "railwright/simulation/scenario/scenario.hpp"

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

  static constexpr auto fields() {
    using core::field;
    return core::field_list(field("accelerators", &JobSize::accelerators,
                                  "Accelerators of a job; more than a node has are whole nodes.",
                                  core::between(1, 1e7)),
                            field("share", &JobSize::share,
                                  "Its share of the jobs, over the sum of all.", core::positive));
  }
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

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::optional;
    using core::positive;
    using D = DrawnJobs;
    return core::field_list(
        field("jobs", &D::jobs, "Jobs of the run.", between(1, 2'000'000)),
        field("jobs_per_hour", &D::jobs_per_hour, "Rate of a Poisson process of submissions.",
              positive),
        field("sizes", &D::sizes, "Accelerators of a job, by share of the jobs."),
        field("duration", &D::duration, "Mean time that a job runs.", positive),
        field("duration_spread", &D::duration_spread,
              "Standard deviation of these times over their mean, lognormal; 0: all alike.",
              between(0, 100), optional),
        field("max_duration", &D::max_duration,
              "Longest that a job may run: longer ones end there.", positive),
        field("limit_over_duration", &D::limit_over_duration,
              "Time limit that users give, over the time that the job runs.", between(1, 1000),
              optional),
        field("seed", &D::seed, "Of the draws.", between(0, 2'000'000'000), optional));
  }
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

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    using Q = JobQueue;
    return core::field_list(
        field("policy", &Q::policy, "Which waiting job starts next.", optional),
        field("placement", &Q::placement, "Which free accelerators it gets.", optional),
        field("spread_slowdown", &Q::spread_slowdown,
              "Time of a job of several nodes on more leaves than it needs, over its time on as "
              "few as can be; `simulate` with cluster.placement gives it.",
              core::between(1, 10), optional),
        field("trace", &Q::trace,
              "Jobs as lines of comma-separated values under a line of names: submit_s, "
              "accelerators, duration_s and, if users give one, limit_s.",
              optional),
        field("drawn", &Q::drawn, "Jobs that are drawn, in place of a trace."),
        field("checkpoint_interval", &Q::checkpoint_interval,
              "Time between the checkpoints of a job: what a failure sends back.", core::positive,
              optional),
        field("power_cap", &Q::power_cap,
              "Most that the nodes may draw, with what the building adds: jobs that would exceed "
              "it wait.",
              core::positive),
        field("max_wait", &Q::max_wait, "Longest that `percentile` of the jobs may wait.",
              core::positive),
        field("percentile", &Q::percentile, "Share of the jobs that max_wait holds for.",
              core::between(0.01, 1), optional));
  }
};

/// A scenario with `queue` in place of `workload`.
struct QueueScenario {
  std::string name;
  JobQueue queue;
  topologies::Cluster cluster;
  std::optional<models::Reliability> reliability;
  models::PowerPlan power;
  std::optional<SweepSpace> sweep;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("name", &QueueScenario::name, "The scenario in a few words."),
        field("queue", &QueueScenario::queue, "The jobs, and who is served first."),
        field("cluster", &QueueScenario::cluster, "Nodes and fabric."),
        field("reliability", &QueueScenario::reliability,
              "Failures of the nodes; none without it."),
        field("power", &QueueScenario::power, "What the building adds to the power of nodes.",
              core::optional),
        field("sweep", &QueueScenario::sweep, "The points of `sweep`."));
  }
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
