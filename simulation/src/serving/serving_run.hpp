// SPDX-License-Identifier: Apache-2.0
// A simulated run of requests over replicas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "replica.hpp"
#include "replica_pool.hpp"
#include "request_queue.hpp"

namespace railwright::simulation {

/// The requests of `inference.load`, drawn once, for any number of replicas that answer up to
/// `batch` at a time.
class ServedLoad {
 public:
  /// A replica that autoscaling adds takes requests `start_time` later.
  ServedLoad(const Replica& replica, std::int64_t batch, core::Duration start_time);
  /// Takes requests that were drawn elsewhere.
  ServedLoad(const Replica& replica, std::int64_t batch, std::vector<models::Request> requests);

  [[nodiscard]] std::int64_t num_requests() const { return std::ssize(requests_); }
  /// Simulates the requests on so many replicas; with autoscaling on as many as it sets.
  ServingRun run(std::int64_t num_replicas);

 private:
  const models::Inference& inference_;
  std::vector<models::Request> requests_;
  std::vector<Answer> answers_;
  QueueLimits limits_;
  IterationTimes times_;
  PoolPlan plan_;
  std::int64_t replica_groups_;
};

/// Adds the duration of a run that ends at `end`, and its requests and tokens a second; returns the
/// duration in seconds.
double add_rates(std::span<const models::Request> requests, double end, ServingRun& run);
/// Adds the latencies of all requests to `run`, and the share that meets the wanted ones.
void add_latencies(const models::Inference& inference, std::span<const models::Request> requests,
                   std::span<const Answer> answers, ServingRun& run);
/// Returns the seconds of a wanted latency; infinite without one.
double seconds_or_infinite(const std::optional<core::Duration>& wanted);

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

}  // namespace railwright::simulation
