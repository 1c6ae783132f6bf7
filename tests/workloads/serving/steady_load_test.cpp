// SPDX-License-Identifier: Apache-2.0
// A service's numbers are those of its steady state, however many requests are simulated.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../../support/inference.hpp"
#include "railwright/models/inference/request_load.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

const char* const kNodePrices =
    "prices={ownership: 1461 d, electricity: 0.1 USD/kWh, nodes: {xe8640: 200000 USD}}";

struct Service {
  const char* what;
  Settings settings;
};

const Settings kLengths{"inference.load.prompt_spread=0.8", "inference.load.output_spread=0.8",
                        "inference.output_tokens=300", "inference.model.context=0",
                        "cluster.nodes=16"};

/// Services of every kind: some replicas or all simulated, stages, prompts apart.
const std::vector<Service> kServices{
    {"in turn, few requests at a time",
     {"inference.tp=1", "inference.requests_per_s=6", "inference.load.replicas=5"}},
    {"in turn, many at a time",
     {"inference.tp=1", "inference.requests_per_s=66", "inference.load.replicas=8"}},
    {"to the fewest requests",
     {"inference.tp=2", "inference.requests_per_s=40", "inference.load.replicas=4",
      "inference.load.routing=fewest_requests", "inference.engine=vllm"}},
    {"two stages",
     {"inference.tp=1", "inference.pp=2", "inference.requests_per_s=12",
      "inference.load.replicas=2"}},
    {"prompts apart",
     {"inference.tp=1", "inference.requests_per_s=30",
      "inference.disaggregated={prefill_tp: 1, prefill_replicas: 4, decode_replicas: 5}"}},
};

InferenceResult with_requests(const Service& service, int requests) {
  Settings settings = service.settings;
  settings.insert(settings.end(), kLengths.begin(), kLengths.end());
  settings.emplace_back(kNodePrices);
  settings.push_back("inference.load.requests=" + std::to_string(requests));
  return simulate(test::inference(settings));
}

/// Expects the same within a share.
void expect_near(double few, double many, double share, const char* what) {
  EXPECT_NEAR(few / many, 1.0, share) << what;
}

TEST(SteadyLoad, NumbersDoNotDependOnTheRequestsThatAreSimulated) {
  for (const Service& service : kServices) {
    SCOPED_TRACE(service.what);
    const InferenceResult few = with_requests(service, 400);
    const InferenceResult many = with_requests(service, 4000);
    ASSERT_TRUE(few.feasible()) << few.infeasible.front();
    ASSERT_TRUE(few.cost && many.cost);
    expect_near(few.cost->per_million_tokens.base(), many.cost->per_million_tokens.base(), 0.03,
                "cost");
    expect_near(few.power->energy_per_token().base(), many.power->energy_per_token().base(), 0.05,
                "energy");
    const ServingRun& a = *few.run;
    const ServingRun& b = *many.run;
    // The standard error of 400 lognormal lengths is 4 %, of their number 5 %.
    expect_near(a.output_tokens_per_s, b.output_tokens_per_s, 0.15, "tokens/s");
    expect_near(a.busy_fraction, b.busy_fraction, 0.12, "busy");
    expect_near(a.mean_batch, b.mean_batch, 0.2, "batch");
    expect_near(a.mean_replicas, b.mean_replicas, 0.15, "replicas");
    expect_near(a.time_per_output_token.p50.base(), b.time_per_output_token.p50.base(), 0.06,
                "time of a token");
    expect_near(a.time_to_first_token.p50.base(), b.time_to_first_token.p50.base(), 0.2,
                "first token");
    expect_near(a.latency.mean.base(), b.latency.mean.base(), 0.15, "whole answer");
  }
}

// Replicas that come and go: over many looks the means are the same; the most replicas at a time
// are more in a longer run.
TEST(SteadyLoad, MeansOfAnAutoscaledServiceDoNotDependOnTheRequests) {
  const Service service{
      "autoscaled",
      {"inference.tp=1", "inference.requests_per_s=30", "inference.load.routing=fewest_requests",
       "inference.load.autoscaling={max_replicas: 8, target_requests: 30, interval: 1 s, "
       "scale_down_after: 5 s}"}};
  const ServingRun few = *with_requests(service, 1500).run;
  const ServingRun many = *with_requests(service, 9000).run;
  expect_near(few.mean_replicas, many.mean_replicas, 0.12, "replicas");
  expect_near(few.output_tokens_per_s, many.output_tokens_per_s, 0.1, "tokens/s");
  expect_near(few.latency.mean.base(), many.latency.mean.base(), 0.12, "whole answer");
  EXPECT_LE(many.num_replicas, 8);
}

// Ownership of a second and mean power, over the wanted tokens.
TEST(SteadyLoad, TokensOfTheWantedLoadBearMoneyAndPower) {
  const InferenceResult result = with_requests(kServices[1], 200);
  const double tokens_per_s = 66.0 * 300.0;
  const double of_a_second = result.cost->ownership.total().base() / (1461.0 * 86400.0);
  expect_near(result.cost->per_million_tokens.base(), of_a_second * 1e6 / tokens_per_s, 1e-9,
              "cost");
  expect_near(result.power->energy_per_token().base(),
              result.power->mean_power().base() / tokens_per_s, 1e-9, "energy");
}

// Requests at once and a trace are the run, with its end.
TEST(SteadyLoad, ATraceAndRequestsAtOnceAreTheWholeRun) {
  const InferenceResult at_once =
      simulate(test::inference({"inference.tp=1", "inference.load.arrivals=at_once",
                                "inference.load.requests=300", "inference.load.replicas=2"}));
  const InferenceResult traced = simulate(test::inference(
      {"inference.tp=1", "inference.load.replicas=1",
       "inference.load.trace=\"arrival_s,prompt_tokens,output_tokens\\n0,500,80\\n9,500,90\""}));
  for (const InferenceResult* one : {&at_once, &traced}) {
    const double tokens = one == &traced ? 170.0 : 300.0 * 101.0;
    EXPECT_NEAR(one->power->tokens_per_s * one->run->duration.base() / tokens, 1.0, 1e-9);
  }
  EXPECT_GT(traced.run->duration.base(), 9.0);
}

// Each replica of in-turn routing runs its share alone, so that some stand for all.
TEST(SteadyLoad, SomeReplicasStandForAll) {
  const auto of = [](const char* routing) {
    return *simulate(
                test::inference({"inference.tp=1", "inference.load.requests=2000",
                                 "inference.load.arrivals=even", "inference.requests_per_s=160",
                                 "cluster.nodes=16", "inference.load.replicas=20", routing}))
                .run;
  };
  // Even arrivals of the same length: the one with the fewest requests is the next in turn.
  const ServingRun some = of("inference.load.routing=in_turn");
  const ServingRun all = of("inference.load.routing=fewest_requests");
  expect_near(some.requests_per_s, all.requests_per_s, 0.01, "requests/s");
  expect_near(some.busy_fraction, all.busy_fraction, 0.01, "busy");
  expect_near(some.mean_batch, all.mean_batch, 0.03, "batch");
  expect_near(some.latency.mean.base(), all.latency.mean.base(), 0.01, "whole answer");
  EXPECT_EQ(some.num_replicas, 20);
}

// A load beyond what the replicas answer has no steady state.
TEST(SteadyLoad, TooFewReplicasDoNotFit) {
  const InferenceResult result =
      simulate(test::inference({"inference.tp=1", "inference.load.requests=100",
                                "inference.requests_per_s=200", "inference.load.replicas=2"}));
  ASSERT_FALSE(result.feasible());
  EXPECT_NE(result.infeasible.front().find("fewer than the 200 wanted"), std::string::npos)
      << result.infeasible.front();
}

// The requests before time 0 and after those that count come at the same rate.
TEST(RequestLoad, ComesAtTheSameRateBeforeAndAfter) {
  for (const auto arrivals :
       {models::Arrivals::kPoisson, models::Arrivals::kGamma, models::Arrivals::kEven}) {
    const models::RequestLoad load{.requests = 40'000, .arrivals = arrivals, .seed = 5};
    for (const models::TakenRequests& part :
         {models::TakenRequests{1, 1}, models::TakenRequests{2, 9}}) {
      const double rate = 8.0 * static_cast<double>(part.taken) / static_cast<double>(part.of);
      const auto before = models::draw_earlier_requests(load, 8.0, 100, 10,
                                                        {.time = 4000.0, .most = 1'000'000}, part);
      EXPECT_NEAR(static_cast<double>(before.size()) / 4000.0 / rate, 1.0, 0.04);
      EXPECT_LE(before.back().arrival, 0.0);
      EXPECT_GE(before.front().arrival, -4000.0);
      const auto after = models::draw_requests(load, 8.0, 100, 10, 10'000, part);
      ASSERT_EQ(after.size(), 50'000U);
      EXPECT_NEAR(50'000.0 / after.back().arrival / rate, 1.0, 0.04);
    }
    // More requests leave the first as they are.
    EXPECT_EQ(models::draw_requests(load, 8.0, 100, 10).back().arrival,
              models::draw_requests(load, 8.0, 100, 10, 9)[39'999].arrival);
  }
}

}  // namespace
}  // namespace railwright::simulation
