// SPDX-License-Identifier: Apache-2.0
// Requests over replicas that are alike: which one takes the next, and how many there are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "railwright/models/inference/request_load.hpp"
#include "request_queue.hpp"

namespace railwright::simulation {

struct PoolPlan {
  std::int64_t num_replicas = 1;  ///< there all the time, without autoscaling
  models::Routing routing = models::Routing::kInTurn;
  std::optional<models::Autoscaling> autoscaling;
  double start_time = 0.0;  ///< seconds until a replica that is added takes requests
  Window window;  ///< in which means are taken; ends with the last iteration at the latest
  LateRequests* late = nullptr;  ///< if given, the run may end once too many are
};

/// Totals of all replicas together, over the window but for `end` and `most_cached`.
struct PoolTotals {
  double end = 0.0;  ///< of the last iteration, seconds
  double busy = 0.0;
  double iterations = 0.0;
  double running = 0.0;
  double most_cached = 0.0;  ///< of one replica
  std::int64_t preemptions = 0;
  std::int64_t most_replicas = 0;  ///< at a time, those that start and those that end included
  double replica_seconds = 0.0;    ///< of replicas that are there
  /// If too many requests were late, the share that could be in time still. Nothing else holds
  /// then.
  std::optional<double> in_time_at_most;
};

/// Adds what a replica's queue did.
void add_queue(const QueueTotals& of, PoolTotals& all);

/// Answers `requests`, which are in order of arrival. A request stays with the replica that took
/// it. With autoscaling the number of replicas follows Kubernetes' horizontal pod autoscaler
/// [@kubernetes_hpa]: each interval
///
///     wanted = requests under way and waiting / target_requests, rounded up
///
/// replicas are added at once and take requests `start_time` later; they go, once they have
/// answered what they took, when no more were wanted for all of `scale_down_after`. A change within
/// a tenth is not made. Replicas that still answer keep their accelerators: with them there are
/// never more than `max_replicas`, and the next look adds what is missing. Where replicas take
/// requests in turn, one runs after the other.
PoolTotals run_pool(std::span<const models::Request> requests, const PoolPlan& plan,
                    const QueueLimits& limits, IterationTimes& times, std::span<Answer> answers);

}  // namespace railwright::simulation
