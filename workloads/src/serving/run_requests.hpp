// SPDX-License-Identifier: Apache-2.0
// Requests of a simulated run, and the time in which its means are taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "railwright/models/inference/inference.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// Times at which a request was answered, in seconds.
struct Answer {
  double first_token = 0.0;
  double end = 0.0;  ///< last token, or the end of sending its cache
};

/// A time in seconds, open at its ends where they are infinite.
struct Window {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool contains(double time) const { return begin <= time && time < end; }
  /// Returns the part of [from, to) that lies in the window.
  [[nodiscard]] double overlap(double from, double to) const {
    return std::max(std::min(to, end) - std::max(from, begin), 0.0);
  }
};

/// Requests that no replica takes: their cache is larger than its room, or they are longer than the
/// model's context.
struct RejectedRequests {
  std::int64_t count = 0;  ///< of those whose latencies count
  std::string reason;      ///< of the longest
};

/// Requests in order of arrival. Latencies are those of `count` from the `first` on, means those of
/// `window`: in a steady load others come before and after.
struct RunRequests {
  std::vector<models::Request> all;
  std::size_t first = 0;
  std::size_t count = 0;
  Window window;
  RejectedRequests rejected;
  models::TakenRequests part;  ///< replicas that are simulated, of all

  [[nodiscard]] std::int64_t num_asked() const {
    return static_cast<std::int64_t>(count) + rejected.count;
  }
  /// Whether the latencies of a request count.
  [[nodiscard]] bool counts(std::size_t request) const {
    return first <= request && request < first + count;
  }
  /// Requests whose latencies count.
  [[nodiscard]] std::span<const models::Request> counted() const {
    return std::span(all).subspan(first, count);
  }
};

/// Seconds that a request waits for its first token, and in the mean for each further one.
struct Waits {
  double first_token = 0.0;
  double output_token = 0.0;  ///< 0 if it has none
};

/// Returns the waits of a request.
Waits waits_of(const models::Inference& inference, const models::Request& request,
               const Answer& answer);
/// Whether they are within the wanted latencies.
bool are_in_time(const models::Inference& inference, const Waits& waits);

/// Counts the requests that are late while a run goes on: it need not go on once so many are that
/// the wanted share of all can no longer be in time.
class LateRequests {
 public:
  /// `is_late` is asked once about each request that is answered, by its index in the run.
  LateRequests(const RunRequests& requests, double percentile,
               std::function<bool(std::size_t)> is_late)
      : is_late_(std::move(is_late)),
        in_time_(static_cast<double>(requests.count)),
        asked_(static_cast<double>(requests.num_asked())),
        percentile_(percentile) {}

  void count(std::span<const std::size_t> answered) {
    for (const std::size_t request : answered) {
      if (is_late_(request)) in_time_ -= 1.0;
    }
  }
  /// Returns the share of all that are in time if no further one is late.
  [[nodiscard]] double share_in_time() const { return in_time_ / asked_; }
  [[nodiscard]] bool are_too_many() const { return share_in_time() < percentile_; }

 private:
  std::function<bool(std::size_t)> is_late_;
  double in_time_;
  double asked_;
  double percentile_;
};

/// Returns why a replica never takes a request; empty if it does. A null one takes all.
using Rejection = std::function<std::string(const models::Request& request)>;

/// Returns the run of a trace or of requests that come all at once: it begins with the first
/// arrival and ends with the last answer.
RunRequests whole_run(std::vector<models::Request> requests, const Rejection& rejection);

/// The service whose steady state is wanted.
struct SteadyService {
  double residence = 0.0;  ///< seconds that a mean request is under way
  double settling = 0.0;   ///< further seconds until the number of replicas has settled
  std::int64_t num_replicas = 1;
  bool takes_in_turn = false;  ///< each replica runs its share alone: some stand for all
};

/// Returns the requests of `inference.load` in the steady state of a service: the load comes for
/// several residence times before the first that counts, and goes on while the last are answered.
/// Means of a swing are those of whole periods.
RunRequests steady_run(const models::Inference& inference, const SteadyService& service,
                       const Rejection& rejection);

/// Returns the seconds of a wanted latency; infinite without one.
double seconds_or_infinite(const std::optional<core::Duration>& wanted);

/// Adds duration, requests and tokens a second of a run that ends at `end` to `run`.
void add_rates(const RunRequests& requests, std::span<const Answer> answers, double end,
               ServingRun& run);
/// Adds the latencies of the requests that count, and the share that meets the wanted ones.
void add_latencies(const models::Inference& inference, const RunRequests& requests,
                   std::span<const Answer> answers, ServingRun& run);

}  // namespace railwright::simulation
