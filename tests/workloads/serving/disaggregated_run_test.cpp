// SPDX-License-Identifier: Apache-2.0
// Requests one by one through replicas for prompts and for answers, against a second simulation.
#include "../../../workloads/src/serving/disaggregated_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "../../../workloads/src/serving/disaggregated_sizing.hpp"
#include "slow_queue.hpp"
#include "split_service.hpp"

namespace railwright::simulation {
namespace {

using test::joined;
using test::kApart;
using test::Settings;
using test::SplitService;

// One request at a time and no time for the cache: nothing tells both services apart.
TEST(Disaggregated, OneRequestAtATimeIsAnsweredAsByOneReplica) {
  const Settings one_by_one{"inference.tp=1",
                            "inference.max_batch=1",
                            "inference.requests_per_s=0.01",
                            "inference.load.requests=500",
                            "inference.load.arrivals=even",
                            "inference.load.prompt_spread=1",
                            "inference.load.output_spread=0.5"};
  const InferenceResult together = simulate(test::inference(one_by_one));
  const InferenceResult split = simulate(
      test::inference(joined(one_by_one, {"inference.disaggregated.prefill_tp=1",
                                          "inference.disaggregated.kv_rate=1000000000 GB/s"})));
  ASSERT_TRUE(together.run && split.run);
  const auto near = [](const Percentiles& a, const Percentiles& b) {
    EXPECT_NEAR(a.mean.base(), b.mean.base(), 1e-6 * b.mean.base());
    EXPECT_NEAR(a.p50.base(), b.p50.base(), 1e-6 * b.p50.base());
    EXPECT_NEAR(a.p99.base(), b.p99.base(), 1e-6 * b.p99.base());
  };
  near(split.run->time_to_first_token, together.run->time_to_first_token);
  near(split.run->time_per_output_token, together.run->time_per_output_token);
  near(split.run->latency, together.run->latency);
  EXPECT_NEAR(split.run->pools->prefill_busy_fraction + split.run->pools->decode_busy_fraction,
              together.run->busy_fraction, 1e-6);
}

const Settings kStream{"inference.tp=1",
                       "inference.engine.request_overhead=0 s",
                       "inference.engine.token_overhead=0 s",
                       "inference.requests_per_s=40",
                       "inference.load.requests=1500",
                       "inference.load.prompt_spread=1",
                       "inference.load.output_spread=0.8",
                       "inference.disaggregated.prefill_tp=1",
                       "inference.model.context=0",
                       "cluster.nodes=16"};

/// Every `stride`-th of `all` from `first` on.
template <class T>
std::vector<T> share_of(const std::vector<T>& all, std::size_t first, std::size_t stride) {
  std::vector<T> some;
  for (std::size_t i = first; i < all.size(); i += stride) some.push_back(all[i]);
  return some;
}

/// Simulates `stride` replicas slowly and returns the answers, in the order of the requests.
std::vector<Answer> slow_pool(const std::vector<models::Request>& requests, std::size_t stride,
                              QueueLimits limits, const std::vector<double>& send_times,
                              const Replica& replica) {
  IterationTimes times(replica);
  std::vector<Answer> all(requests.size());
  for (std::size_t first = 0; first < stride; ++first) {
    const auto some = share_of(requests, first, stride);
    const auto sends = share_of(send_times, first, stride);
    limits.send_times = sends;
    std::vector<Answer> answers(some.size());
    test::simulate_slowly(some, limits, times, answers);
    for (std::size_t i = 0; i < some.size(); ++i) all[first + i * stride] = answers[i];
  }
  return all;
}

TEST(DisaggregatedRun, EndsEachRequestWhenASecondSimulationDoes) {
  const SplitService built(joined(kStream, {"inference.disaggregated.kv_rate=12 GB/s"}));
  const Replica prefill = built.replica(1, ReplicaRole::kPrompts);
  const Replica decode = built.replica(1, ReplicaRole::kAnswers);
  const CacheTransfer transfer = built.transfer(1, 1);
  const ReplicaPair pair{prefill, decode, transfer, 6, 20};
  DisaggregatedLoad load(pair);
  const PromptsDone done = load.pass_prompts(3, IfLate::kGoesOn);
  const ServingRun run = load.answer(load.hand_over(done), 5, IfLate::kGoesOn);

  const RunRequests& drawn = load.requests();
  const std::vector<models::Request>& requests = drawn.all;
  std::vector<models::Request> prompts = requests;
  std::vector<double> sends;
  for (models::Request& one : prompts) {
    sends.push_back(one.output_tokens > 1 ? one.prompt_tokens * 524288.0 / 12e9 : 0.0);
    one.output_tokens = 1;
  }
  const auto firsts = slow_pool(
      prompts, 3, {.max_batch = 6, .max_tokens = 8192, .cache_tokens = prefill.cache_tokens(6)},
      sends, prefill);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_NEAR(done.answers[i].first_token, firsts[i].first_token, 1e-9) << i;
    ASSERT_NEAR(done.answers[i].end, firsts[i].end, 1e-9) << i;
    if (requests[i].output_tokens > 1) order.emplace_back(firsts[i].end, i);
  }
  std::ranges::stable_sort(order, {}, &std::pair<double, std::size_t>::first);
  std::vector<models::Request> arriving;
  for (const auto& [arrival, i] : order) {
    arriving.push_back(requests[i]);
    arriving.back().arrival = arrival;
  }
  const auto ends = slow_pool(arriving, 5,
                              {.max_batch = 20,
                               .max_tokens = 8192,
                               .cache_tokens = decode.cache_tokens(20),
                               .is_cached = true},
                              {}, decode);
  const auto counts = [&](std::size_t i) {
    return i >= drawn.first && i < drawn.first + drawn.count;
  };
  double latency = 0.0;
  double per_token = 0.0;
  double num_answers = 0.0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (counts(i)) latency += firsts[i].first_token - requests[i].arrival;
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k].second;
    ASSERT_GT(ends[k].end, order[k].first) << i;  // answered, and behind its prompt
    if (!counts(i)) continue;
    const double further = ends[k].end - firsts[i].first_token;
    latency += further;
    per_token += further / (requests[i].output_tokens - 1.0);
    num_answers += 1.0;
  }
  EXPECT_NEAR(run.latency.mean.base(), latency / 1500, 1e-8);
  EXPECT_NEAR(run.time_per_output_token.mean.base(), per_token / num_answers, 1e-9);
  EXPECT_EQ(run.num_requests, 1500);
  EXPECT_GT(run.pools->transfer_busy_fraction, 0.3);  // transfers do queue here
  EXPECT_GT(run.pools->transfer.p99.base(), 1.5 * run.pools->transfer.p50.base());
}

// The prompts' room is what the slow link leaves: the queue must wait for it and still end.
TEST(DisaggregatedRun, PromptsWaitForRoomThatTransfersHold) {
  const SplitService built(kApart);
  const Replica prefill = built.replica(1, ReplicaRole::kPrompts);
  IterationTimes times(prefill);
  const std::vector<models::Request> requests(50, {.prompt_tokens = 1000, .output_tokens = 1});
  const std::vector<double> sends(50, 1.0);
  std::vector<Answer> answers(50);
  test::run_one(requests,
                {.max_batch = 8, .max_tokens = 8192, .cache_tokens = 2002, .send_times = sends},
                times, answers);
  for (std::size_t i = 1; i < 50; ++i) {
    EXPECT_NEAR(answers[i].end - answers[i - 1].end, 1.0, 1e-9) << i;
    // Two fit: the second before has left when this one enters.
    if (i < 2) continue;
    EXPECT_GT(answers[i].first_token, answers[i - 2].end) << i;
  }
}

// By hand: a prompt's cache of one second leaves from the start of its iteration on, layer by
// layer: the last of ten layers leaves behind the prompt, or all is sent a second after the
// iteration began.
TEST(DisaggregatedRun, LayersLeaveWhileTheNextOnesCompute) {
  const SplitService built(kApart);
  const Replica prefill = built.replica(1, ReplicaRole::kPrompts);
  IterationTimes times(prefill);
  const std::vector<models::Request> requests(1, {.prompt_tokens = 1000, .output_tokens = 1});
  const auto end_of = [&](double send, double layers) {
    const std::vector<double> sends(1, send);
    std::vector<Answer> answers(1);
    test::run_one(requests,
                  {.max_batch = 8,
                   .max_tokens = 8192,
                   .cache_tokens = 20000,
                   .send_times = sends,
                   .num_sends = layers},
                  times, answers);
    return std::pair(answers[0].first_token, answers[0].end);
  };
  const auto [first, behind] = end_of(1.0, 1.0);
  EXPECT_NEAR(behind, first + 1.0, 1e-12);
  EXPECT_NEAR(end_of(1.0, 10.0).second, 1.0, 1e-12);  // the iteration takes less than a second
  EXPECT_NEAR(end_of(first / 10.0, 10.0).second, first * 1.01, 1e-12);
}

TEST(DisaggregatedRun, MoreReplicasForPromptsNeverLengthenTheFirstToken) {
  const SplitService built(kStream);
  const Replica prefill = built.replica(1, ReplicaRole::kPrompts);
  const Replica decode = built.replica(1, ReplicaRole::kAnswers);
  const CacheTransfer transfer = built.transfer(1, 1);
  const ReplicaPair pair{prefill, decode, transfer, 8, 64};
  DisaggregatedLoad load(pair);
  Percentiles before{.mean = core::Duration::infinity(),
                     .p50 = core::Duration::infinity(),
                     .p90 = core::Duration::infinity(),
                     .p99 = core::Duration::infinity()};
  for (const int count : {1, 2, 3, 4, 6, 8, 12, 24}) {
    const HandedOver handed = load.hand_over(load.pass_prompts(count, IfLate::kGoesOn));
    const Percentiles now = load.answer(handed, 12, IfLate::kGoesOn).time_to_first_token;
    EXPECT_LE(now.mean, before.mean) << count;
    EXPECT_LE(now.p50, before.p50) << count;
    EXPECT_LE(now.p90, before.p90) << count;
    EXPECT_LE(now.p99, before.p99) << count;
    before = now;
  }
}

// With one replica less of either kind the latencies are missed.
TEST(DisaggregatedRun, BothKindsAreTheFewestThatKeepTheLatencies) {
  const Settings wanted =
      joined(kStream, {"inference.time_to_first_token=0.3 s",
                       "inference.time_per_output_token=30 ms", "inference.load.percentile=0.95"});
  const auto with = [&](std::int64_t prefill, std::int64_t decode) {
    return simulate(test::inference(
        joined(wanted, {"inference.disaggregated.prefill_replicas=" + std::to_string(prefill),
                        "inference.disaggregated.decode_replicas=" + std::to_string(decode)})));
  };
  const InferenceResult result = simulate(test::inference(wanted));
  ASSERT_TRUE(result.feasible()) << result.infeasible.front();
  const auto& pools = *result.disaggregated;
  ASSERT_GT(pools.prefill_replicas, 1);
  ASSERT_GT(pools.decode_replicas, 1);
  EXPECT_TRUE(with(pools.prefill_replicas, pools.decode_replicas).feasible());
  EXPECT_FALSE(with(pools.prefill_replicas, pools.decode_replicas - 1).feasible());
  EXPECT_FALSE(with(pools.prefill_replicas - 1, pools.decode_replicas).feasible());
  EXPECT_EQ(result.run->num_replicas, pools.prefill_replicas + pools.decode_replicas);
}

}  // namespace
}  // namespace railwright::simulation
