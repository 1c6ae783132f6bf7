// SPDX-License-Identifier: Apache-2.0
// A simulated run of requests over replicas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "closed_loop.hpp"
#include "replica.hpp"
#include "replica_pool.hpp"
#include "request_queue.hpp"
#include "run_requests.hpp"

namespace railwright::simulation {

/// Runs of the requests of `inference.load` on any number of replicas that answer up to `batch` at
/// a time.
class ServedLoad {
 public:
  /// A replica that autoscaling adds takes requests `start_time` later. `replica` outlives the
  /// load.
  ServedLoad(const Replica& replica, std::int64_t batch, core::Duration start_time);
  /// Takes requests that were drawn elsewhere, as a whole run.
  ServedLoad(const Replica& replica, std::int64_t batch, std::vector<models::Request> requests);

  /// Simulates the requests on so many replicas; with autoscaling on as many as it sets.
  ServingRun run(std::int64_t num_replicas);

  /// Requests of a run, with the times of their answers.
  struct Done {
    RunRequests requests;
    std::vector<Answer> answers;
    PoolTotals totals;
  };

 private:
  Done of_arrivals(std::int64_t num_replicas);
  Done of_users(std::int64_t num_replicas);
  [[nodiscard]] RunRequests requests_on(std::int64_t num_replicas) const;
  [[nodiscard]] models::BatchCycle steady_cycle(std::int64_t num_replicas) const;
  [[nodiscard]] Rejection rejection() const;

  const Replica& replica_;
  const models::Inference& inference_;
  std::int64_t batch_;
  QueueLimits limits_;
  IterationTimes times_;
  PoolPlan plan_;
  std::int64_t groups_;               ///< of requests, each in a queue of its own
  std::optional<RunRequests> whole_;  ///< a trace, or requests that come all at once
};

/// Returns the closed loop of so many users.
UsersPlan users_plan(const models::Inference& inference, std::int64_t users);

/// Returns why a replica whose cache has room for so many tokens never takes a request.
std::string why_rejected(const models::Inference& inference, double cache_tokens,
                         const models::Request& request);

/// Returns the seconds that a mean request is under way.
double residence_of(const models::BatchCycle& prompts, const models::BatchCycle& answers,
                    double output_tokens);

/// Returns the run of requests none of which is taken.
ServingRun rejected_run(const RunRequests& requests, std::int64_t num_replicas);

/// Returns the fewest of `fewest` to `most` for which `holds(run(number))` is true, with its run;
/// the run of `most` if it is for none. Once true, it must stay true for more.
template <class Make, class Holds>
auto fewest_that_hold(std::int64_t fewest, std::int64_t most, const Make& make,
                      const Holds& holds) {
  std::int64_t low = fewest - 1;
  std::int64_t high = fewest;
  auto best = make(high);
  while (!holds(best) && high < most) {
    low = high;
    high = std::min(2 * high, most);
    best = make(high);
  }
  if (!holds(best)) return best;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    auto made = make(middle);
    if (holds(made)) {
      high = middle;
      best = std::move(made);
    } else {
      low = middle;
    }
  }
  return best;
}

/// Whether enough requests of `run` met the wanted latencies.
bool meets_latencies(const models::Inference& inference, const ServingRun& run);
/// Whether more requests are rejected than may miss the latencies; no number of replicas helps.
bool rejects_too_many(const models::Inference& inference, const ServingRun& run);

}  // namespace railwright::simulation
