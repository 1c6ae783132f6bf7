// SPDX-License-Identifier: Apache-2.0
// A closed loop: a fixed number of users, each of whom sends the next request when the last is
// answered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "iteration_times.hpp"
#include "railwright/models/inference/request_load.hpp"
#include "replica_pool.hpp"
#include "request_queue.hpp"

namespace railwright::simulation {

struct UsersPlan {
  std::int64_t users = 1;
  double think_time = 0.0;  ///< mean seconds from an answer to the next request
  double reading = 0.0;     ///< seconds that each request waits beside the replicas
  double overhead = 0.0;  ///< mean seconds in front of the engine and behind it, exponential: users
                          ///< of like requests do not stay in step
  std::int64_t seed = 1;
};

/// Replicas that are alike: those of whole requests, or of prompts or answers alone.
struct LoopStage {
  std::span<models::Request> requests;  ///< their times are set as they come
  const QueueLimits& limits;
  IterationTimes& times;
  std::int64_t num_replicas = 1;
  models::Routing routing = models::Routing::kInTurn;
  std::span<Answer> answers;
};

struct LoopTotals {
  std::vector<PoolTotals> stages;
  double last_taken = 0.0;  ///< when a user took the last request: from then on users stop
};

/// Runs the requests through the stages one after another, in the order in which users are ready;
/// requests of one token end with the first stage. Without time to think all users begin at time 0.
LoopTotals run_users(std::span<const LoopStage> stages, const UsersPlan& plan);

}  // namespace railwright::simulation
