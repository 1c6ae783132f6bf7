// SPDX-License-Identifier: Apache-2.0
// Requests over several replicas: routing, and replicas that come and go.
#include "../../../workloads/src/serving/replica_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../support/inference.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "slow_queue.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

/// Returns the problems of a scenario, a line each.
std::string problems_of(const Settings& settings) {
  try {
    test::inference(settings);
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "";
}

class Pool : public testing::Test {
 protected:
  CheckedInference checked_ = test::inference({"inference.tp=1"});
  topologies::BuiltCluster built_ = checked_.cluster.topology->build(checked_.cluster.cluster);
  Replica replica_{checked_, built_.fabric, {1}, std::nullopt};
  IterationTimes times_{replica_};
  QueueLimits limits_{.max_batch = 64, .max_tokens = 8192, .cache_tokens = 60000};
  std::vector<models::Request> requests_ = models::draw_requests(
      {.requests = 2000, .prompt_spread = 1.0, .output_spread = 1.0, .seed = 3}, 60.0, 1000, 100);
  std::vector<Answer> answers_ = std::vector<Answer>(2000);

  PoolTotals run(const PoolPlan& plan) {
    return run_pool(requests_, plan, limits_, times_, answers_);
  }
  double mean_latency() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      sum += answers_[i].end - requests_[i].arrival;
    }
    return sum / static_cast<double>(requests_.size());
  }
};

TEST_F(Pool, InTurnEachReplicaRunsItsShareAlone) {
  run({.num_replicas = 3});
  for (std::size_t first = 0; first < 3; ++first) {
    std::vector<models::Request> share;
    for (std::size_t i = first; i < requests_.size(); i += 3) share.push_back(requests_[i]);
    std::vector<Answer> alone(share.size());
    test::simulate_slowly(share, limits_, times_, alone);
    for (std::size_t i = 0; i < share.size(); ++i) {
      ASSERT_NEAR(answers_[first + 3 * i].end, alone[i].end, 1e-9);
    }
  }
}

TEST_F(Pool, StopsOnceTooManyRequestsAreLate) {
  const RunRequests counted{.all = requests_, .count = requests_.size()};
  for (const models::Routing routing :
       {models::Routing::kInTurn, models::Routing::kFewestRequests}) {
    std::size_t answered = 0;
    LateRequests late(counted, 0.99, [&](std::size_t) { return ++answered > 0; });
    const PoolTotals totals = run({.num_replicas = 3, .routing = routing, .late = &late});
    ASSERT_TRUE(totals.in_time_at_most);
    EXPECT_LT(*totals.in_time_at_most, 0.99);
    EXPECT_GT(answered, 20U);  // so many of 2,000 may be late
    EXPECT_LT(answered, 100U);
  }
}

TEST_F(Pool, CountingLateRequestsChangesNothingElse) {
  const RunRequests counted{.all = requests_, .count = requests_.size()};
  for (const models::Routing routing :
       {models::Routing::kInTurn, models::Routing::kFewestRequests}) {
    const PoolTotals alone = run({.num_replicas = 3, .routing = routing});
    const std::vector<Answer> expected = answers_;
    std::vector<int> asked(requests_.size());
    LateRequests late(counted, 0.5, [&](std::size_t i) {
      ++asked[i];
      EXPECT_EQ(answers_[i].end, expected[i].end);
      return i % 4 == 0;
    });
    const PoolTotals totals = run({.num_replicas = 3, .routing = routing, .late = &late});
    EXPECT_FALSE(totals.in_time_at_most);
    EXPECT_EQ(totals.end, alone.end);
    EXPECT_EQ(totals.busy, alone.busy);
    EXPECT_EQ(totals.running, alone.running);
    EXPECT_EQ(late.share_in_time(), 0.75);
    EXPECT_EQ(std::ranges::count(asked, 1), 2000);
  }
}

TEST_F(Pool, FewestRequestsAnswersSoonerThanInTurn) {
  run({.num_replicas = 4});
  const double in_turn = mean_latency();
  run({.num_replicas = 4, .routing = models::Routing::kFewestRequests});
  EXPECT_LT(mean_latency(), in_turn);
}

// One server each, one request at a time: with one replica free it is taken at once, so that no
// request waits before all replicas are busy.
TEST_F(Pool, AFreeReplicaIsTakenBeforeAnyRequestWaits) {
  limits_.max_batch = 1;
  for (models::Request& one : requests_) one.prompt_tokens = 1000;
  run({.num_replicas = 200, .routing = models::Routing::kFewestRequests});
  double shortest = 1e9;
  double longest = 0.0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    shortest = std::min(shortest, answers_[i].first_token - requests_[i].arrival);
    longest = std::max(longest, answers_[i].first_token - requests_[i].arrival);
  }
  EXPECT_NEAR(longest, shortest, 1e-9);
}

TEST_F(Pool, MoreReplicasNeverLengthenTheMeanLatency) {
  for (const auto routing : {models::Routing::kInTurn, models::Routing::kFewestRequests}) {
    double before = 1e9;
    for (const int count : {1, 2, 4, 8, 16}) {
      run({.num_replicas = count, .routing = routing});
      EXPECT_LE(mean_latency(), before * 1.001) << count;
      before = mean_latency();
    }
  }
}

TEST_F(Pool, AutoscalingWithOneNumberIsThatManyReplicas) {
  const PoolTotals fixed = run({.num_replicas = 4});
  const std::vector<Answer> alone = answers_;
  const PoolTotals scaled = run({.autoscaling = models::Autoscaling{
                                     .min_replicas = 4, .max_replicas = 4, .target_requests = 10}});
  for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_EQ(answers_[i].end, alone[i].end) << i;
  EXPECT_EQ(scaled.most_replicas, 4);
  EXPECT_NEAR(scaled.replica_seconds, fixed.replica_seconds, 1e-6);
}

// All come at once: at the first look 2,000 requests ask for 20 replicas of 100 each, which take
// none of them. Nothing comes later, so that the first one answers all.
TEST_F(Pool, RequestsStayWithTheReplicaThatTookThem) {
  for (models::Request& one : requests_) one.arrival = 0.0;
  const PoolTotals one = run({.num_replicas = 1});
  const PoolTotals scaled =
      run({.autoscaling = models::Autoscaling{.max_replicas = 30,
                                              .target_requests = 100,
                                              .interval = core::Duration::from_base(0.1)}});
  EXPECT_EQ(scaled.most_replicas, 20);
  EXPECT_EQ(scaled.end, one.end);
}

// A replica that starts later leaves more of the load to the first one.
TEST_F(Pool, AReplicaThatStartsLaterHelpsLess) {
  double before = 0.0;
  for (const double start : {0.0, 5.0, 20.0}) {
    const PoolTotals totals =
        run({.autoscaling = models::Autoscaling{.max_replicas = 8,
                                                .target_requests = 30,
                                                .interval = core::Duration::from_base(1.0)},
             .start_time = start});
    EXPECT_GT(totals.most_replicas, 1);
    EXPECT_GT(mean_latency(), before) << start;
    before = mean_latency();
  }
}

// Behind a rush of a minute, replicas go when no look of the last ten seconds asked for more.
TEST_F(Pool, ReplicasGoWhenTheRushIsOver) {
  const double rush_end = requests_.back().arrival;
  for (int i = 0; i < 600; ++i) {
    requests_.push_back(
        {.arrival = rush_end + 10.0 + i, .prompt_tokens = 100, .output_tokens = 10});
  }
  answers_.resize(requests_.size());
  const models::Autoscaling rule{.max_replicas = 8,
                                 .target_requests = 20,
                                 .interval = core::Duration::from_base(1.0),
                                 .scale_down_after = core::Duration::from_base(10.0)};
  const PoolTotals totals = run({.autoscaling = rule});
  const double duration = totals.end - requests_.front().arrival;
  EXPECT_GT(totals.most_replicas, 2);
  EXPECT_LT(totals.replica_seconds / duration, 1.6);
  EXPECT_GE(totals.replica_seconds, duration);
}

// Replicas that answer what they took hold their accelerators until then: with them there are never
// more than the largest number, however soon others are wanted.
TEST_F(Pool, NeverMoreReplicasThanTheMost) {
  for (const int most : {1, 2, 3, 8}) {
    const PoolTotals totals = run(
        {.autoscaling = models::Autoscaling{.max_replicas = most,
                                            .target_requests = 1,
                                            .interval = core::Duration::from_base(0.2),
                                            .scale_down_after = core::Duration::from_base(0.0)}});
    EXPECT_LE(totals.most_replicas, most);
    EXPECT_GT(totals.most_replicas, most / 2);
  }
}

// Totals of a window are those of the iterations and replicas in it.
TEST_F(Pool, CountsInTheWindowAlone) {
  const PoolTotals all = run({.num_replicas = 3});
  double busy = 0.0;
  double replica_seconds = 0.0;
  double iterations = 0.0;
  for (const Window& part : {Window{0.0, 4.0}, Window{4.0, 21.5}, Window{21.5, all.end}}) {
    const PoolTotals totals = run({.num_replicas = 3, .window = part});
    busy += totals.busy;
    replica_seconds += totals.replica_seconds;
    iterations += totals.iterations;
  }
  EXPECT_NEAR(busy, all.busy, 1e-9);
  EXPECT_NEAR(replica_seconds, all.replica_seconds, 1e-9);
  EXPECT_EQ(iterations, all.iterations);
}

// Two requests by hand: prompts of 1,000 and 500 tokens, a second apart.
TEST(RequestTrace, RunsItsRequests) {
  const InferenceResult result = simulate(test::inference(
      {"inference.tp=1", "inference.load.replicas=1",
       "inference.load.trace=\"output_tokens,arrival_s,prompt_tokens\\n5,101,500\\n3,100,1000\""}));
  ASSERT_TRUE(result.run);
  EXPECT_EQ(result.run->num_requests, 2);
  EXPECT_NEAR(result.run->output_tokens_per_s * result.run->duration.base(), 8.0, 1e-9);
  EXPECT_GT(result.run->duration.base(), 1.0);
}

TEST(RequestTrace, SaysWhatIsWrongLineByLine) {
  const std::string message =
      problems_of({"inference.load.trace=\"arrival_s,prompt_tokens,output_tokens\\n"
                   "1,2.5,1\\n-1,1,1\\n1,1\""});
  for (const char* part :
       {"line 2: prompt_tokens: expected a whole number", "line 3: arrival_s: expected a number",
        "line 4: output_tokens: expected a whole number"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << "\n" << message;
  }
}

TEST(Autoscaling, SaysThatTheMostReplicasAreTooFew) {
  const InferenceResult result = simulate(test::inference(
      {"inference.tp=1", "inference.requests_per_s=500", "inference.load.requests=200",
       "inference.load.autoscaling={max_replicas: 2, target_requests: 8}"}));
  ASSERT_FALSE(result.feasible());
  EXPECT_NE(result.infeasible.front().find("2 replicas give"), std::string::npos)
      << result.infeasible.front();
}

TEST(Autoscaling, RefusesWhatCannotBe) {
  const std::string message = problems_of(
      {"inference.requests_per_s=5", "inference.load.replicas=2",
       "inference.load.autoscaling.max_replicas=2", "inference.load.autoscaling.min_replicas=3",
       "inference.load.autoscaling.target_requests=8"});
  EXPECT_NE(message.find("max_replicas 2 is less than min_replicas 3"), std::string::npos);
  EXPECT_NE(message.find("leave load.replicas out"), std::string::npos);
}

}  // namespace
}  // namespace railwright::simulation
