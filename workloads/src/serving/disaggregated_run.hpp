// SPDX-License-Identifier: Apache-2.0
// A simulated run of requests over replicas for prompts and replicas for answers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cache_transfer.hpp"
#include "replica.hpp"
#include "replica_pool.hpp"
#include "request_queue.hpp"
#include "serving_run.hpp"

namespace railwright::simulation {

/// A replica for prompts and one for answers, and the most requests that each has at a time.
struct ReplicaPair {
  const Replica& prefill;
  const Replica& decode;
  const CacheTransfer& transfer;
  std::int64_t prefill_batch = 1;
  std::int64_t decode_batch = 1;
};

/// The requests with their first token given and their cache handed over.
struct PromptsDone {
  std::int64_t num_replicas = 0;
  std::vector<Answer> answers;  ///< `end`: the cache has arrived
  double busy = 0.0;            ///< seconds in iterations, of all replicas, in the window
  double cache_fraction = 0.0;  ///< largest share of the cache that was reserved
  std::int64_t preemptions = 0;
  double in_time = 1.0;   ///< share of the requests with their first token in time
  bool none_can = false;  ///< too many requests are rejected for any number of replicas
};

/// The requests in the order in which replicas for answers take them: as their caches arrive.
struct HandedOver {
  PromptsDone prompts;
  std::vector<std::size_t> order;         ///< places of those that need more than a first token
  std::vector<models::Request> arriving;  ///< these, in that order
  /// Ends beyond which each of these is late; infinite where its latencies do not count.
  std::vector<double> last_end;
};

/// The requests of `inference.load`, drawn once, in their steady state unless they are a trace or
/// come all at once. Replicas for prompts take them as `routing` says
/// and send caches one after the other; replicas for answers take those that arrive likewise.
class DisaggregatedLoad {
 public:
  explicit DisaggregatedLoad(const ReplicaPair& pair);

  [[nodiscard]] PromptsDone pass_prompts(std::int64_t num_replicas, IfLate if_late);
  [[nodiscard]] HandedOver hand_over(PromptsDone prompts) const;
  [[nodiscard]] ServingRun answer(const HandedOver& handed, std::int64_t num_replicas,
                                  IfLate if_late);
  /// Runs the requests of a number of users through so many replicas of each kind.
  [[nodiscard]] ServingRun closed_loop(std::int64_t prompts, std::int64_t answers);
  [[nodiscard]] const RunRequests& requests() const { return requests_; }

 private:
  [[nodiscard]] RunRequests drawn() const;
  [[nodiscard]] double last_end_of(const models::Request& request, double first_token) const;
  /// Adds the shares of time that replicas compute and send.
  void add_busy_shares(const PromptsDone& prompts, double decode_busy, std::int64_t num_replicas,
                       ServingRun& run) const;
  /// Returns the run of requests whose answers are done.
  [[nodiscard]] ServingRun run_of(const PromptsDone& prompts, const PoolTotals& decode,
                                  std::int64_t num_replicas, std::span<const Answer> answers) const;
  [[nodiscard]] PoolPlan plan_of(std::int64_t num_replicas) const;

  const ReplicaPair& pair_;
  const models::Inference& inference_;
  QueueLimits prefill_limits_;
  QueueLimits decode_limits_;
  RunRequests requests_;
  std::vector<models::Request> prompts_;  ///< the requests with a single output token
  std::vector<double> send_times_;        ///< seconds
  IterationTimes prefill_times_;
  IterationTimes decode_times_;
};

}  // namespace railwright::simulation
