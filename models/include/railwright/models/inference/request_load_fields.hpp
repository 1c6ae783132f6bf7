// SPDX-License-Identifier: Apache-2.0
// The keys of request_load.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/inference/request_load.hpp"

namespace railwright::models {

constexpr auto Autoscaling::fields() {
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

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto RequestLoad::fields() {
  using core::between;
  using core::field;
  using core::optional;
  using L = RequestLoad;
  return core::field_list(
      field("requests", &L::requests,
            "Requests whose latencies count, without a trace. Unless they come all at once, "
            "others come before and after them, so that the service is in its steady state.",
            between(1, 10'000'000), optional),
      field("concurrency", &L::concurrency,
            "Users of the service, in place of a rate: each sends the next request when the last "
            "is answered, all begin at once. What benchmarks call the maximum concurrency.",
            between(1, 1'000'000)),
      field("users", &L::users,
            "As concurrency, of users who think for `think_time` before each request.",
            between(1, 1'000'000)),
      field("think_time", &L::think_time,
            "Mean time from an answer to the next request of its user, drawn from an exponential "
            "distribution.",
            core::non_negative, optional),
      field("shortest", &L::shortest,
            "Shortest prompt and answer over prompt_tokens and output_tokens, which are the "
            "longest then: lengths are drawn evenly from there to 1, as benchmarks with a range "
            "ratio do; 1: all alike.",
            between(0.001, 1), optional),
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
            "Share of the requests that the wanted latencies must hold for.", between(0.01, 0.9999),
            optional),
      field("seed", &L::seed, "Of the draws.", between(0, 2'000'000'000), optional));
}

}  // namespace railwright::models
