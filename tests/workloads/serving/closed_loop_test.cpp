// SPDX-License-Identifier: Apache-2.0
// A fixed number of users, each of whom sends the next request when the last is answered.
#include <gtest/gtest.h>

#include "../../support/inference.hpp"
#include "railwright/core/error.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

ServingRun closed_loop(Settings settings) {
  settings.insert(settings.begin(), {"inference.output_tokens=41", "inference.tp=1"});
  return *simulate(test::inference(settings)).run;
}

double seconds(const ServingRun& run) { return run.latency.mean.base(); }

// Little: users = throughput * time of a request. The last requests leave some of them idle.
TEST(ClosedLoop, KeepsAsManyRequestsUnderWayAsUsers) {
  const ServingRun run =
      closed_loop({"inference.load.concurrency=12", "inference.load.requests=2400",
                   "inference.load.shortest=0.8", "inference.load.replicas=1",
                   "inference.engine.request_overhead=0 s", "inference.engine.token_overhead=0 s",
                   "inference.engine.overlaps_host=false"});
  EXPECT_EQ(run.num_requests, 2400);
  EXPECT_NEAR(run.requests_per_s * seconds(run) / 12.0, 1.0, 0.01);
  EXPECT_NEAR(run.mean_batch / 12.0, 1.0, 0.02);
}

TEST(ClosedLoop, ThinkingCountsIntoTheTimeOfAUser) {
  const ServingRun run =
      closed_loop({"inference.load.users=200", "inference.load.think_time=20 s",
                   "inference.load.requests=20000", "inference.load.replicas=1"});
  EXPECT_NEAR(run.requests_per_s * (seconds(run) + 20.0) / 200.0, 1.0, 0.02);
}

// With one user there is no queue: the request alone, again and again.
TEST(ClosedLoop, OneUserNeverWaits) {
  const ServingRun run =
      closed_loop({"inference.load.concurrency=1", "inference.load.requests=50"});
  const ServingRun alone =
      closed_loop({"inference.load.requests=50", "inference.load.arrivals=even",
                   "inference.requests_per_s=0.01"});
  EXPECT_NEAR(seconds(run), seconds(alone), 1e-9);
  EXPECT_NEAR(run.time_to_first_token.p99.base(), alone.time_to_first_token.mean.base(), 1e-9);
  EXPECT_NEAR(run.duration.base() / (49.0 * seconds(alone)), 1.0, 0.05);
}

TEST(ClosedLoop, ThousandTokensAreCutInFrontOfTheEngine) {
  const auto first_token = [](const char* each) {
    return closed_loop({"inference.load.concurrency=1", "inference.load.requests=50",
                        std::string("inference.engine.token_overhead=") + each})
        .time_to_first_token.mean.base();
  };
  EXPECT_NEAR(first_token("20 us") - first_token("0 s"), 0.02, 1e-9);
}

TEST(ClosedLoop, TwoReplicasShareTheUsers) {
  const ServingRun one = closed_loop(
      {"inference.load.concurrency=8", "inference.load.requests=400", "inference.load.replicas=1"});
  const ServingRun two = closed_loop({"inference.load.concurrency=16",
                                      "inference.load.requests=800", "inference.load.replicas=2"});
  EXPECT_NEAR(two.requests_per_s, 2.0 * one.requests_per_s, 1e-9 * one.requests_per_s);
  EXPECT_EQ(two.latency.p99, one.latency.p99);
}

TEST(ClosedLoop, FewestReplicasKeepTheLatencies) {
  const InferenceResult result = simulate(test::inference(
      {"inference.output_tokens=41", "inference.tp=1", "inference.load.concurrency=64",
       "inference.load.requests=640", "inference.time_to_first_token=500 ms"}));
  ASSERT_TRUE(result.feasible()) << result.infeasible.front();
  const std::int64_t replicas = result.num_replicas;
  ASSERT_GT(replicas, 1);
  const InferenceResult fewer = simulate(test::inference(
      {"inference.output_tokens=41", "inference.tp=1", "inference.load.concurrency=64",
       "inference.load.requests=640", "inference.time_to_first_token=500 ms",
       "inference.load.replicas=" + std::to_string(replicas - 1)}));
  EXPECT_FALSE(fewer.feasible());
}

// Users wait for the prompt, the transfer and the answer one after another.
TEST(ClosedLoop, PassesPromptsAndAnswersApart) {
  const ServingRun run = closed_loop(
      {"inference.load.concurrency=12", "inference.load.requests=2400",
       "inference.disaggregated={prefill_tp: 1, prefill_replicas: 2, decode_replicas: 1}"});
  EXPECT_NEAR(run.requests_per_s * seconds(run) / 12.0, 1.0, 0.01);
  EXPECT_LT(run.time_to_first_token.p50, run.latency.p50);
}

TEST(ClosedLoop, RefusesWhatSaysTwiceWhenRequestsCome) {
  for (const char* setting :
       {"inference.requests_per_s=3", "inference.load.users=3", "inference.load.shortest=0.5"}) {
    EXPECT_THROW(test::inference(
                     {"inference.load.concurrency=4", "inference.load.output_spread=0.2", setting}),
                 core::ConfigError)
        << setting;
  }
  EXPECT_THROW(test::inference({"inference.load.concurrency=4", "inference.load.think_time=1 s"}),
               core::ConfigError);
}

}  // namespace
}  // namespace railwright::simulation
