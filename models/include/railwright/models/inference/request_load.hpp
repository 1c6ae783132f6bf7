// SPDX-License-Identifier: Apache-2.0
// Arriving requests: their number, times and lengths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

enum class Arrivals : std::uint8_t { kAtOnce, kPoisson, kGamma, kEven };

constexpr auto enum_words(Arrivals) {
  using enum Arrivals;
  return core::words<Arrivals>(
      {{"at_once", kAtOnce}, {"poisson", kPoisson}, {"gamma", kGamma}, {"even", kEven}});
}

/// Which replica takes the next request.
enum class Routing : std::uint8_t { kInTurn, kFewestRequests };

constexpr auto enum_words(Routing) {
  using enum Routing;
  return core::words<Routing>({{"in_turn", kInTurn}, {"fewest_requests", kFewestRequests}});
}

/// Replicas that come and go with the requests. The defaults are those of Kubernetes' horizontal
/// pod autoscaler. [@kubernetes_hpa]
struct Autoscaling {
  int min_replicas = 1;
  int max_replicas = 1;
  double target_requests = 1.0;
  core::Duration interval = core::Duration::from_base(15.0);
  core::Duration scale_down_after = core::Duration::from_base(300.0);

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::optional;
    using A = Autoscaling;
    return core::field_list(
        field("min_replicas", &A::min_replicas, "Replicas there are at least, and at first.",
              between(1, 100'000), optional),
        field("max_replicas", &A::max_replicas, "Replicas there are at most.", between(1, 100'000)),
        field("target_requests", &A::target_requests,
              "Requests, under way or waiting, that a replica should have: more replicas are "
              "started above it, and stopped below it.",
              core::positive),
        field("interval", &A::interval, "Time between two looks at the requests.",
              core::at_least(0.1), optional),
        field("scale_down_after", &A::scale_down_after,
              "Time in which no look may have asked for more before replicas are stopped.",
              core::non_negative, optional));
  }
};

/// The requests of a simulated run.
struct RequestLoad {
  int requests = 1000;
  Arrivals arrivals = Arrivals::kPoisson;
  double burstiness = 0.5;
  double swing = 0.0;
  core::Duration period = core::Duration::from_base(86400.0);
  double prompt_spread = 0.0;
  double output_spread = 0.0;
  std::string trace;
  std::optional<int> replicas;
  Routing routing = Routing::kInTurn;
  std::optional<Autoscaling> autoscaling;
  double percentile = 0.99;
  int seed = 1;

  [[nodiscard]] bool comes_at_once() const {
    return trace.empty() && arrivals == Arrivals::kAtOnce;
  }
  /// Whether requests come at the wanted rate before and after those of the run.
  [[nodiscard]] bool keeps_coming() const { return trace.empty() && arrivals != Arrivals::kAtOnce; }

  static constexpr auto fields() {  // NOLINT(readability-function-size): a row a key
    using core::between;
    using core::field;
    using core::optional;
    using L = RequestLoad;
    return core::field_list(
        field("requests", &L::requests,
              "Requests whose latencies count, without a trace. Unless they come all at once, "
              "others come before and after them, so that the service is in its steady state.",
              between(1, 10'000'000), optional),
        field("arrivals", &L::arrivals,
              "When they come: all at once; as a Poisson process, at times drawn from a gamma "
              "distribution, or at even times, at the wanted requests a second.",
              optional),
        field("burstiness", &L::burstiness,
              "Shape of that gamma distribution: 1 is a Poisson process, less comes in bursts, "
              "more is more even. [@vllm_arguments]",
              between(0.01, 1000), optional),
        field("swing", &L::swing,
              "Share of the mean by which the requests a second swing around it, fewest at first: "
              "mean * (1 - swing * cos(2 pi time / period)).",
              between(0, 1), optional),
        field("period", &L::period, "Time of a swing.", core::positive, optional),
        field("prompt_spread", &L::prompt_spread,
              "Standard deviation of the tokens of prompts over their mean, drawn from a lognormal "
              "distribution; 0: all alike.",
              between(0, 10), optional),
        field("output_spread", &L::output_spread, "As prompt_spread, of answers.", between(0, 10),
              optional),
        field("trace", &L::trace,
              "Requests as lines of comma-separated values under a line of names: arrival_s, "
              "prompt_tokens, output_tokens. They are run in place of drawn ones.",
              optional),
        field("replicas", &L::replicas,
              "Replicas that answer; where absent, the fewest that meet the latencies.",
              between(1, 1'000'000)),
        field("routing", &L::routing,
              "Which replica takes the next request: each in turn, or the one with the fewest "
              "under way and waiting.",
              optional),
        field("autoscaling", &L::autoscaling,
              "Replicas that come and go with the requests, in place of a fixed number. A new one "
              "takes requests `inference.start_up` and the time to read its weights later."),
        field("percentile", &L::percentile,
              "Share of the requests that the wanted latencies must hold for.",
              between(0.01, 0.9999), optional),
        field("seed", &L::seed, "Of the draws.", between(0, 2'000'000'000), optional));
  }
};

struct Request {
  double arrival = 0.0;  ///< seconds
  std::int32_t prompt_tokens = 1;
  std::int32_t output_tokens = 1;
};

/// Returns the requests of a trace in the order of arrival, which is 0 for the first. Adds every
/// problem of its lines at `where`.
std::vector<Request> read_requests(std::string_view trace, const core::Location& where,
                                   std::vector<core::Diagnostic>& problems);

/// The first `taken` of every `of` requests that come: those of some replicas that take requests
/// in turn.
struct TakenRequests {
  std::int64_t taken = 1;
  std::int64_t of = 1;
};

/// Draws requests in the order of arrival, from time 0 on; the same seed gives the same requests on
/// every machine. Draws `more` than `load.requests` where asked.
std::vector<Request> draw_requests(const RequestLoad& load, double requests_per_s,
                                   double prompt_tokens, double output_tokens,
                                   std::int64_t more = 0, const TakenRequests& part = {});

/// A span before time 0, in seconds, and the most requests that are drawn in it.
struct EarlierSpan {
  double time = 0.0;
  std::int64_t most = 0;
};

/// Draws the requests that come in the span, the latest of them if there are more, in the order of
/// arrival.
std::vector<Request> draw_earlier_requests(const RequestLoad& load, double requests_per_s,
                                           double prompt_tokens, double output_tokens,
                                           const EarlierSpan& span, const TakenRequests& part = {});

}  // namespace railwright::models
