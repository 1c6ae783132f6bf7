// SPDX-License-Identifier: Apache-2.0
// The events of a queue: submissions, ends, failures, repairs.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "free_nodes.hpp"
#include "railwright/workloads/queue/queue.hpp"

namespace railwright::simulation {

/// A failure of a node. Times in seconds.
struct NodeFailure {
  double time = 0.0;
  int node = 0;
  bool needs_repair = true;      ///< false for software: the node stays
  std::optional<double> repair;  ///< until it is back, where not as of all
};

/// Failures that a schedule draws, most of which may strike nodes in repair, and interruptions that
/// may be expected of it: a second and some minutes. 100,000 nodes that each fail every 100 days
/// have five million in 14 years.
inline constexpr std::int64_t kMaxFailures = 20'000'000;
inline constexpr std::int64_t kMaxInterruptions = 5'000'000;

/// Settings of a schedule. Times in seconds.
struct ScheduleLimits {
  QueuePolicy policy = QueuePolicy::kBackfill;
  double checkpoint_interval = 3600.0;
  double restart = 0.0;          ///< before an interrupted job computes again
  double repair = 0.0;           ///< from a failure until the node gives accelerators again
  double spread_slowdown = 1.0;  ///< time on more leaves than a job needs, over that on the fewest
  int max_occupied = std::numeric_limits<int>::max();  ///< accelerators with a job at a time
};

/// The cluster between two events.
struct ClusterState {
  double time = 0.0;        ///< from which on
  int occupied = 0;         ///< accelerators with a job
  int waiting = 0;          ///< jobs
  std::int64_t wanted = 0;  ///< accelerators that these want
  int down = 0;             ///< nodes
};

struct ScheduleResult {
  std::vector<JobHistory> histories;
  std::vector<ClusterState> states;    ///< ascending by time; the last one is empty
  std::int64_t num_spread = 0;         ///< jobs of several nodes on more leaves than they need
  std::int64_t num_of_several = 0;     ///< jobs of several nodes
  int endless_job = -1;                ///< one that takes too long, after which nothing else holds
  bool has_too_many_failures = false;  ///< more than kMaxFailures, likewise
};

/// Returns the next failure, never before the last one; an infinite time once there are none.
using FailureSource = std::function<NodeFailure()>;

/// Runs all jobs. The first waiting job gets a reservation at the time at which those that run
/// leave room by their limits; others start before it if they end by then or leave its room alone.
/// [@lifka1995anl] [@mualem2001utilization] An interrupted job waits at its old place, with what it
/// had computed at its last checkpoint. A job on more leaves than it needs computes
/// `spread_slowdown` times as long, and its limit grows as much. Every job must fit the empty
/// cluster and `max_occupied`.
ScheduleResult run_schedule(std::span<const QueuedJob> jobs, FreeNodes nodes,
                            const ScheduleLimits& limits, const FailureSource& failures);

}  // namespace railwright::simulation
