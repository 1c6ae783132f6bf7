// SPDX-License-Identifier: Apache-2.0
// Prompts and answers on replicas of their own: sizes against hand arithmetic, limits, and
// refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "../../../workloads/src/serving/disaggregated_sizing.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/verdict.hpp"
#include "split_service.hpp"

namespace railwright::simulation {
namespace {

using test::apart;
using test::joined;
using test::kApart;
using test::Settings;
using test::SplitService;

// Llama 2 70B caches 8 heads of 128 elements, as keys and as values, in 80 layers.
TEST(CacheTransfer, IsTheCacheOfAPromptOverTheRate) {
  const Settings seventy{"inference.model=llama-2-70b", "inference.disaggregated.kv_rate=50 GB/s"};
  const CacheTransfer given = SplitService(seventy).transfer(2, 4);
  EXPECT_EQ(given.size(1000.0).base(), 2.0 * 8 * 128 * 80 * 2 * 1000);
  EXPECT_NEAR(given.time(1000.0).base(), 327.68e6 / 50e9, 1e-12);
  const CacheTransfer narrow =
      SplitService(joined(seventy, {"inference.kv_cache=fp8"})).transfer(2, 4);
  EXPECT_EQ(narrow.size(1000.0).base(), 163.84e6);
}

// One 400 Gb/s NIC of each node carries all pairs; two carry half of them each.
TEST(CacheTransfer, IsLimitedByTheNicsOfItsPairs) {
  const auto time = [](int nics, int prefill_tp, int tp, int senders = 1) {
    return SplitService({"inference.model=llama-2-70b", "inference.disaggregated={}",
                         "cluster.node.nics.count=" + std::to_string(nics)})
        .transfer(prefill_tp, tp, senders)
        .time(1000.0)
        .base();
  };
  const double one_pair = time(1, 1, 4);
  EXPECT_GT(one_pair, 327.68e6 / 50e9);
  EXPECT_LT(one_pair, 1.25 * 327.68e6 / 50e9);
  EXPECT_NEAR(time(1, 4, 4) / one_pair, 1.0, 0.1);  // of smaller messages
  EXPECT_NEAR(time(2, 4, 4) / one_pair, 0.5, 0.05);
  EXPECT_NEAR(time(2, 4, 1) / one_pair, 1.0, 0.02);
  EXPECT_NEAR(time(1, 1, 1, 4) / one_pair, 4.0, 0.3);  // four replicas behind one NIC
  EXPECT_NEAR(time(2, 1, 1, 4) / one_pair, 2.0, 0.15);
}

// In the only node the cache takes NVLink: 450 GB/s of an H100 each way.
TEST(CacheTransfer, StaysInTheOnlyNode) {
  const SplitService one(
      {"inference.model=llama-2-70b", "inference.disaggregated={}", "cluster.nodes=1"});
  const double time = one.transfer(1, 1).time(1000.0).base();
  EXPECT_GT(time, 327.68e6 / 450e9);
  EXPECT_LT(time, 327.68e6 / 100e9);
}

TEST(Disaggregated, RatesAreThoseOfPromptsAndOfStepsAlone) {
  const InferenceResult result = apart();
  ASSERT_TRUE(result.feasible()) << result.infeasible.front();
  const SplitService built(kApart);
  // 8192 tokens of an iteration hold 8 prompts of 1000.
  const Replica prefill = built.replica(1, ReplicaRole::kPrompts);
  EXPECT_EQ(result.disaggregated->prefill.batch, 8.0);
  const double prompts =
      prefill.time_of({.prompts = 8, .prompt_tokens = 1000, .prompt_keys = 1000}).total().base();
  EXPECT_NEAR(result.disaggregated->prefill.requests_per_s(), 8 / prompts, 1e-9 / prompts);
  EXPECT_NEAR(result.time_to_first_token().base(), 2 * prompts, 1e-12);  // it waits for one
  const Replica decode = built.replica(1, ReplicaRole::kAnswers);
  const double batch = result.cycle.batch;
  const double step = decode.time_of(models::decode_pass(batch, 1000 + 101 / 2.0)).total().base();
  EXPECT_NEAR(result.cycle.requests_per_s(), batch / (100 * step), 1e-9);
  EXPECT_NEAR(result.time_per_output_token().base(),
              step + result.disaggregated->transfer_time.base() / 100, 1e-12);
}

TEST(Disaggregated, MemoryHoldsWhatEachKindKeeps) {
  const InferenceResult result = apart();
  const double cache_of_token = 2.0 * 32 * 4096 * 2;
  const double weights = 2 * 6'738'415'616.0;
  // Eight prompts with their first token, and one that leaves.
  EXPECT_EQ(result.disaggregated->prefill_memory.lines[1].size.base(), 9 * 1001 * cache_of_token);
  // Steps of the batch need less room than an iteration of 8192 tokens.
  const double batch = result.cycle.batch;
  const double steps = batch * 2.0 * (3 * 4096 + 2 * 11008) + batch * 32000 * 4;
  const double room = 0.9 * 81559 * 1048576.0 - weights - steps;
  EXPECT_EQ(batch, std::floor(room / (1101 * cache_of_token)));
  EXPECT_EQ(result.batch_limit, BatchLimit::kMemory);
}

TEST(Disaggregated, CountsFollowTheLoad) {
  const InferenceResult one = apart();
  const double of_prompts = one.disaggregated->prefill.requests_per_s();
  const double of_answers = one.cycle.requests_per_s();
  for (const double load : {3.0, 30.0, 77.0}) {
    const InferenceResult result =
        apart({"inference.requests_per_s=" + std::to_string(load), "cluster.nodes=64"});
    const auto& pools = *result.disaggregated;
    EXPECT_EQ(pools.prefill_replicas, std::ceil(load / of_prompts));
    EXPECT_EQ(pools.decode_replicas, std::ceil(load / of_answers));
    EXPECT_EQ(result.num_accelerators, pools.prefill_replicas + pools.decode_replicas);
    EXPECT_EQ(result.nodes_for_load, (result.num_accelerators + 3) / 4);
    EXPECT_EQ(result.num_nodes, result.nodes_for_load + 1);
  }
  const InferenceResult few =
      apart({"inference.requests_per_s=77", "inference.disaggregated.prefill_replicas=1",
             "inference.disaggregated.decode_replicas=1"});
  EXPECT_EQ(few.infeasible.size(), 2U);
  EXPECT_NE(few.infeasible.front().find("1 replica for prompts gives"), std::string::npos);
}

TEST(Disaggregated, PacksBothKindsIntoNodes) {
  for (std::int64_t a = 0; a < 12; ++a) {
    for (std::int64_t b = 1; b < 12; ++b) {
      for (const int of_a : {1, 2, 4, 8}) {
        for (const int of_b : {1, 2, 4, 8}) {
          ASSERT_EQ(packed_nodes({a, of_a}, {b, of_b}, 8), (a * of_a + b * of_b + 7) / 8);
        }
      }
    }
  }
  // Two of three in each of two nodes leave two, one in the third leaves five.
  EXPECT_EQ(packed_nodes({5, 3}, {4, 2}, 8), 3);
  EXPECT_EQ(packed_nodes({5, 2}, {5, 3}, 8), 4);
}

TEST(Disaggregated, WithoutALoadTheKindsAreBalanced) {
  const models::Disaggregation free;
  const auto sizes = [&](double prefill, double decode, int prefill_tp, int tp) {
    const PoolSizes found = pool_sizes(free, 0.0, {prefill, decode}, prefill_tp, tp);
    return std::pair{found.prefill, found.decode};
  };
  // 10 / (1 + 4) = 2, 9 / (1 + 3) = 2.25 requests/s of an accelerator.
  EXPECT_EQ(sizes(10, 3, 1, 1), std::pair(std::int64_t{1}, std::int64_t{3}));
  EXPECT_EQ(sizes(9, 3, 1, 1), std::pair(std::int64_t{1}, std::int64_t{3}));
  // 10 / (8 + 4) = 0.83, 9 / (8 + 3) = 0.82.
  EXPECT_EQ(sizes(10, 3, 8, 1), std::pair(std::int64_t{1}, std::int64_t{4}));
  EXPECT_EQ(sizes(2, 3, 1, 1), std::pair(std::int64_t{1}, std::int64_t{1}));
  const models::Disaggregation fixed{.prefill_replicas = 3};
  EXPECT_EQ(pool_sizes(fixed, 0.0, {10, 3}, 1, 1).decode, 10);
}

TEST(Disaggregated, SaysByHowMuchTheCacheIsTooSlow) {
  const double bytes = 1000 * 2.0 * 32 * 4096 * 2;
  // Two replicas take 30 requests/s each.
  const auto at = [&](double share) {
    return apart(
        {"inference.requests_per_s=60", "inference.disaggregated.prefill_replicas=2",
         "cluster.nodes=16",
         "inference.disaggregated.kv_rate=" + std::to_string(30 * bytes / share / 1e9) + " GB/s"});
  };
  EXPECT_TRUE(at(0.99).feasible());
  EXPECT_NEAR(at(0.6).disaggregated->transfer_busy_fraction, 0.6, 1e-4);
  const InferenceResult slow = at(1.5);
  ASSERT_EQ(slow.infeasible.size(), 1U);
  EXPECT_EQ(slow.infeasible.front(),
            "at prefill_tp 1 the cache of a prompt takes 50.0 ms to leave a replica, 16.7 ms more "
            "than the 33.3 ms between its prompts");
  EXPECT_NEAR(slow.disaggregated->transfer_busy_fraction, 1.5, 1e-4);
}

TEST(Disaggregated, SaysWhichKindDoesNotFitOrIsLate) {
  EXPECT_NE(apart({"inference.model=llama-2-70b", "inference.tp=4"})
                .infeasible.front()
                .find("at prefill_tp 1 an accelerator needs"),
            std::string::npos);
  EXPECT_NE(apart({"inference.model=llama-2-70b", "inference.disaggregated.prefill_tp=4"})
                .infeasible.front()
                .find("at tp 1 an accelerator needs"),
            std::string::npos);
  EXPECT_NE(apart({"inference.time_to_first_token=1 ms"})
                .infeasible.front()
                .find("at prefill_tp 1 the first token takes"),
            std::string::npos);
  EXPECT_NE(apart({"inference.time_per_output_token=1 ms"})
                .infeasible.front()
                .find("at tp 1 each further token, with the transfer of the cache, takes"),
            std::string::npos);
}

TEST(Disaggregated, AnswersAsJsonAndText) {
  const InferenceResult result =
      apart({"inference.requests_per_s=120", "inference.load.requests=300", "cluster.nodes=16",
             "inference.disaggregated.kv_rate=100 GB/s"});
  ASSERT_TRUE(result.feasible()) << result.infeasible.front();
  const auto& pools = *result.disaggregated;
  const auto json = nlohmann::json::parse(output::to_json(result));
  EXPECT_EQ(json["disaggregated"]["prefill_replicas"], pools.prefill_replicas);
  EXPECT_EQ(json["disaggregated"]["transfer_bytes"], 1000 * 524288.0);
  EXPECT_GT(json["run"]["transfer"]["p99_s"], 0.0);
  EXPECT_GT(json["power"]["mean_power_w"], 0.0);
  const std::string wanted = " answer 120 requests/s: " + std::to_string(pools.prefill_replicas) +
                             " replicas of 1 accelerator for prompts, " +
                             std::to_string(pools.decode_replicas) + " of 1 for answers; ";
  EXPECT_NE(output::verdict(result).find(wanted), std::string::npos) << output::verdict(result);
  EXPECT_FALSE(nlohmann::json::parse(output::to_json(simulate(test::inference())))
                   .contains("disaggregated"));
}

// Both kinds are busy for as long as the load takes of them, the other accelerators never.
TEST(Disaggregated, PowerIsOfBothKindsAtWork) {
  const InferenceResult result = apart({"inference.requests_per_s=40", "cluster.nodes=16"});
  const double busy =
      40 / result.disaggregated->prefill.requests_per_s() + 40 / result.cycle.requests_per_s();
  const auto accelerators = 4.0 * static_cast<double>(result.nodes_for_load);
  EXPECT_NEAR(result.power->busy_fraction, busy / accelerators, 1e-9);
  EXPECT_EQ(result.power->tokens_per_s, 40 * 101.0);
  EXPECT_LT(result.power->mean_power(), result.power->peak_power());
}

using Lines = std::vector<std::string>;

/// Problems of the scenario with `lines` in line 6, within `inference`.
Lines problems_with(const std::string& lines, const std::string& model = "llama-2-7b") {
  std::string text = test::inference_text();
  text.replace(text.find("llama-2-7b"), 10, model);
  text.insert(text.find("  library:"), lines);
  try {
    read_inference(core::parse_yaml(text, "i.yaml"),
                   core::Catalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"}));
  } catch (const core::ConfigError& error) {
    Lines found;
    for (const auto& problem : error.diagnostics()) found.push_back(core::to_string(problem));
    return found;
  }
  return {};
}

TEST(BadDisaggregation, IsAnsweredWithItsPlace) {
  EXPECT_EQ(problems_with("  disaggregated: {}\n"), Lines{});
  EXPECT_EQ(problems_with("  disaggregated: {prefill_tp: 3}\n"),
            Lines{"i.yaml:6:31: inference.disaggregated.prefill_tp: 32 attention heads of "
                  "llama-2-7b are not divisible by 3"});
  EXPECT_EQ(
      problems_with("  disaggregated: {prefill_tp: 32}\n"),
      Lines{"i.yaml:6:31: inference.disaggregated.prefill_tp: 32 accelerators of a replica of "
            "the 16 in the cluster"});
  EXPECT_EQ(problems_with("  disaggregated: {prefill_pt: 2}\n"),
            Lines{"i.yaml:6:19: inference.disaggregated.prefill_pt: unknown key; did you mean "
                  "'prefill_tp'?"});
  EXPECT_EQ(problems_with("  disaggregated: {kv_rate: 400 GB}\n"),
            Lines{"i.yaml:6:28: inference.disaggregated.kv_rate: expected data/time (such as "
                  "GB/s), got '400 GB' (data)"});
  EXPECT_EQ(problems_with("  disaggregated: {prefill_tp: 1}\n  offload: [dgx-a100-memory]\n"),
            Lines{"i.yaml:6:18: inference.disaggregated: weights that are offloaded pass whole "
                  "replicas only: leave offload or disaggregated out"});
  EXPECT_EQ(problems_with("  disaggregated: {prefill_tp: 1}\n  requests_per_s: 1\n"
                          "  load: {requests: 10, replicas: 2}\n"),
            Lines{"i.yaml:8:34: inference.load.replicas: there are two kinds of replicas: give "
                  "disaggregated.prefill_replicas and disaggregated.decode_replicas"});
  EXPECT_EQ(
      problems_with("  disaggregated: {prefill_tp: 1}\n  load: {requests: 9, arrivals: at_once}\n"),
      Lines{"i.yaml:6:18: inference.disaggregated: requests that come all at once need "
            "prefill_replicas and decode_replicas"});
}

}  // namespace
}  // namespace railwright::simulation
