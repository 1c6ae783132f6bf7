// SPDX-License-Identifier: Apache-2.0
// A simulated run of requests over replicas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
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

/// Says what a run does once so many requests are late that too few can be in time, or so many that
/// this is no chance.
enum class IfLate : std::uint8_t { kGoesOn, kStops, kStopsIfSurely };

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
  ServingRun run(std::int64_t num_replicas, IfLate if_late = IfLate::kGoesOn);

  /// Requests of a run, with the times of their answers.
  struct Done {
    RunRequests requests;
    std::vector<Answer> answers;
    PoolTotals totals;
  };

 private:
  Done of_arrivals(std::int64_t num_replicas, IfLate if_late);
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

/// Returns the run that was given up as no more than this share of the requests can be in time.
ServingRun late_run(const RunRequests& requests, std::int64_t num_replicas, double share);

/// Returns the run of requests none of which is taken.
ServingRun rejected_run(const RunRequests& requests, std::int64_t num_replicas);

/// Returns the fewest of `fewest` to `most` for which `holds(make(number, if_late))` is true, with
/// its run; the run of `most` if it is for none. Once true, it must stay true for more. Runs that
/// are of no use but for whether they hold may stop.
template <class Make, class Holds>
auto fewest_that_hold(std::int64_t fewest, std::int64_t most, const Make& make,
                      const Holds& holds) {
  std::int64_t low = fewest - 1;
  std::int64_t high = fewest;
  const auto if_late = [&] { return high < most ? IfLate::kStops : IfLate::kGoesOn; };
  auto best = make(high, if_late());
  while (!holds(best) && high < most) {
    low = high;
    high = std::min(2 * high, most);
    best = make(high, if_late());
  }
  if (!holds(best)) return best;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    auto made = make(middle, IfLate::kStops);
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
/// Whether no more than this share of `num_asked` requests in time is no chance: twice as many are
/// late as the `n` that may be, and more than `n + 3 sqrt(n) + 3` (estimate: three standard
/// deviations of a Poisson number, and 3 where few may be). One more or one less of 600 replicas
/// changed the late ones by up to a third.
bool are_surely_late(const models::Inference& inference, double share_in_time,
                     std::int64_t num_asked);
/// Returns the count of late requests for a run that may stop, as `if_late` says and unless too
/// many are rejected: then more replicas do not help either, and the run is the answer.
std::optional<LateRequests> late_requests(const models::Inference& inference,
                                          const RunRequests& requests, IfLate if_late,
                                          std::function<bool(std::size_t)> is_late);

}  // namespace railwright::simulation
