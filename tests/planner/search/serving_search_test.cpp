// SPDX-License-Identifier: Apache-2.0
// The best divisions and batches of a service, against trying every one by itself.
#include "railwright/planner/search/serving_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "../../support/inference.hpp"
#include "../../support/source_tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/verdict.hpp"

namespace railwright::test {
namespace {

using planner::ServingEntry;
using planner::ServingSearchResult;
using Settings = std::vector<std::string>;

core::Node tree_with(const Settings& settings) {
  core::Node tree = core::parse_yaml(inference_text(), "i.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

ServingSearchResult search(const Settings& settings, const planner::SearchOptions& options = {}) {
  return planner::search_service(tree_with(settings), source_catalogue(), options);
}

simulation::InferenceResult simulated(Settings settings, const Settings& of_entry) {
  settings.insert(settings.end(), of_entry.begin(), of_entry.end());
  return simulation::simulate(inference(settings));
}

constexpr int kBatches[] = {1, 4, 16};

/// Whole replicas without stages, with the engine's own tokens of an iteration.
const Settings kPlain = {"search.disaggregated=false", "search.pp=[1]", "search.max_tokens=[8192]"};

Settings joined(Settings settings, const Settings& others) {
  settings.insert(settings.end(), others.begin(), others.end());
  return settings;
}

TEST(ServingSearch, AgreesWithTryingEveryPoint) {
  const Settings wanted = joined({"inference.time_per_output_token=8 ms",
                                  "inference.requests_per_s=40", "search.batch=[1, 4, 16]"},
                                 kPlain);
  const ServingSearchResult result = search(wanted, {.num_best = 1, .front = true});
  double best_tokens = 0.0;
  std::int64_t best_accelerators = 1 << 20;
  std::int64_t in_time = 0;
  for (const int tp : {1, 2, 4}) {
    for (const int batch : kBatches) {
      const simulation::InferenceResult one = simulated(
          {"inference.requests_per_s=40"},
          {"inference.tp=" + std::to_string(tp), "inference.max_batch=" + std::to_string(batch)});
      ASSERT_EQ(one.cycle.batch, batch);
      if (one.cycle.time_per_output_token().base() > 8e-3) continue;
      ++in_time;
      const bool is_better =
          one.num_accelerators < best_accelerators ||
          (one.num_accelerators == best_accelerators && one.accelerator_tokens_per_s > best_tokens);
      if (!one.feasible() || !is_better) continue;
      best_accelerators = one.num_accelerators;
      best_tokens = one.accelerator_tokens_per_s;
    }
  }
  ASSERT_TRUE(result.feasible());
  EXPECT_EQ(result.num_divisions, 3);
  EXPECT_EQ(result.num_points, 9);
  EXPECT_EQ(result.num_in_time, in_time);
  EXPECT_LT(in_time, 9);
  EXPECT_EQ(result.best.front().result.num_accelerators, best_accelerators);
  EXPECT_EQ(result.best.front().result.accelerator_tokens_per_s, best_tokens);
}

TEST(ServingSearch, FrontIsWhatNothingBeatsAndSettingsMakeIt) {
  const ServingSearchResult result = search(kPlain, {.front = true});
  ASSERT_GT(result.front.size(), 3U);
  for (std::size_t i = 0; i < result.front.size(); ++i) {
    const ServingEntry& one = result.front[i];
    const simulation::InferenceResult again = simulated({}, one.settings);
    EXPECT_EQ(again.accelerator_tokens_per_s, one.result.accelerator_tokens_per_s);
    EXPECT_EQ(again.cycle.time_per_output_token(), one.result.cycle.time_per_output_token());
    if (i == 0) continue;
    EXPECT_LT(one.user_tokens_per_s(), result.front[i - 1].user_tokens_per_s());
    EXPECT_GT(one.result.accelerator_tokens_per_s,
              result.front[i - 1].result.accelerator_tokens_per_s);
  }
  // The largest batch of the fewest accelerators ends it, one request on the most begins it.
  EXPECT_EQ(result.front.front().tp, 4);
  EXPECT_EQ(result.front.front().result.cycle.batch, 1.0);
}

TEST(ServingSearch, DividesExpertsInAllWaysThatDivide) {
  const ServingSearchResult result =
      search(joined({"inference.model=qwen3-30b-a3b", "inference.weights=fp8", "search.batch=[8]"},
                    kPlain),
             {.num_best = 100});
  std::set<std::tuple<int, bool, int>> seen;
  for (const ServingEntry& one : result.best) seen.emplace(one.tp, one.attention_dp, one.ep);
  const std::set<std::tuple<int, bool, int>> wanted{
      {1, false, 1}, {2, false, 1}, {2, false, 2}, {2, true, 1}, {2, true, 2}, {4, false, 1},
      {4, false, 2}, {4, false, 4}, {4, true, 1},  {4, true, 2}, {4, true, 4}};
  EXPECT_EQ(seen, wanted);
  const ServingSearchResult fewer =
      search(joined({"inference.model=qwen3-30b-a3b", "inference.weights=fp8", "search.batch=[8]",
                     "search.tp=[4]", "search.attention_dp=true", "search.ep=[4, 2]"},
                    kPlain));
  EXPECT_EQ(fewer.num_divisions, 2);
}

TEST(ServingSearch, SimulatesTheBestWithTheirRequests) {
  const Settings load =
      joined({"inference.requests_per_s=20", "inference.load.requests=300"}, kPlain);
  const ServingSearchResult result = search(load, {.num_best = 8, .num_simulated = 2});
  ASSERT_EQ(result.best.size(), 8U);
  ASSERT_TRUE(result.best[0].result.run && result.best[1].result.run);
  std::int64_t least = 1 << 20;
  for (const ServingEntry& one : result.best) {
    const simulation::InferenceResult again = simulated(load, one.settings);
    least = std::min(least, again.num_accelerators);
    if (!one.result.run) continue;
    EXPECT_EQ(one.result.run->output_tokens_per_s, again.run->output_tokens_per_s);
  }
  // Whatever was not simulated would not have needed fewer.
  EXPECT_EQ(result.best.front().result.num_accelerators, least);
}

// Prompts find on the nodes of the load less than the most: what is listed keeps the latencies with
// what it finds itself.
TEST(ServingSearch, ListsWhatPromptsFindOnTheNodesOfTheLoad) {
  const Settings wanted =
      joined({"inference.model=llama-3.1-8b", "inference.prompt_tokens=8000",
              "inference.requests_per_s=20", "inference.time_to_first_token=300 ms",
              "inference.prefix_cache={sizes: [2e7], hit_rates: [0.9], routed: true}"},
             kPlain);
  const ServingSearchResult result = search(wanted, {.num_best = 3});
  ASSERT_TRUE(result.feasible());
  for (const ServingEntry& one : result.best) {
    const simulation::InferenceResult again = simulated(wanted, one.settings);
    EXPECT_EQ(again.feasible(), one.result.feasible());
    EXPECT_EQ(again.num_accelerators, one.result.num_accelerators);
    EXPECT_TRUE(!one.result.feasible() || one.result.time_to_first_token().base() <= 0.3);
  }
}

TEST(ServingSearch, SaysWhyNothingFits) {
  const ServingSearchResult late = search({"inference.time_per_output_token=1 us"});
  EXPECT_FALSE(late.feasible());
  EXPECT_GT(late.num_points, 0);
  EXPECT_NE(late.why_none.find("more than the 1.00 us wanted"), std::string::npos) << late.why_none;
  const ServingSearchResult large = search({"inference.model=bloom-1.2t"});
  EXPECT_EQ(large.num_points, 0);
  EXPECT_NE(output::verdict(large).find("too much"), std::string::npos);
  EXPECT_EQ(search({"search.tp=[3]"}).why_none,
            "no division of the model over a node is within `search`");
  const ServingSearchResult few = search({"inference.requests_per_s=1e5"});
  EXPECT_FALSE(few.feasible());
  EXPECT_NE(output::verdict(few).find("nodes are needed"), std::string::npos);
}

TEST(ServingSearch, TriesBothDivisionsAndSetsTheBestThatDoesBothBeside) {
  const Settings together = {"inference.time_per_output_token=8 ms",
                             "inference.requests_per_s=40",
                             "search.batch=[4, 16, 64]",
                             "search.max_tokens=[8192]",
                             "search.pp=[1]",
                             "cluster.nodes=32"};
  Settings apart = together;
  apart.emplace_back("inference.disaggregated={}");
  const ServingSearchResult result = search(apart, {.num_best = 100});
  EXPECT_EQ(result.num_divisions, 9);
  std::int64_t least = 1 << 20;
  std::int64_t in_time = 0;
  std::int64_t points = 0;
  for (const int prefill_tp : {1, 2, 4}) {
    for (const int tp : {1, 2, 4}) {
      for (const int batch : {4, 16, 64}) {
        const simulation::InferenceResult one = simulated(
            {"inference.requests_per_s=40", "cluster.nodes=32"},
            {"inference.disaggregated.prefill_tp=" + std::to_string(prefill_tp),
             "inference.tp=" + std::to_string(tp), "inference.max_batch=" + std::to_string(batch)});
        if (one.cycle.batch != batch) continue;
        ++points;
        if (one.time_per_output_token().base() > 8e-3) continue;
        ++in_time;
        if (one.feasible()) least = std::min(least, one.num_accelerators);
      }
    }
  }
  ASSERT_TRUE(result.feasible());
  EXPECT_EQ(result.num_points, points);
  EXPECT_EQ(result.num_in_time, in_time);
  EXPECT_EQ(result.best.front().result.num_accelerators, least);
  const simulation::InferenceResult again = simulated(apart, result.best.front().settings);
  EXPECT_EQ(again.num_accelerators, least);
  EXPECT_EQ(again.disaggregated->prefill_tp, result.best.front().prefill_tp);

  const ServingSearchResult beside = search(joined(together, {"search.disaggregated=false"}));
  ASSERT_TRUE(result.aggregated);
  EXPECT_EQ(result.aggregated->settings, beside.best.front().settings);
  const std::int64_t other = beside.best.front().result.num_accelerators;
  EXPECT_NE(output::verdict(result).find("needs " + std::to_string(other) + " accelerators, "),
            std::string::npos)
      << output::verdict(result);
  EXPECT_FALSE(beside.aggregated);
}

TEST(ServingSearch, TriesTheWantedDivisionsForPrompts) {
  const ServingSearchResult result =
      search({"inference.disaggregated={}", "search.prefill_tp=[2]", "search.tp=[1, 4]",
              "inference.requests_per_s=20", "inference.load.requests=300", "cluster.nodes=16"});
  EXPECT_EQ(result.num_divisions, 2);
  ASSERT_TRUE(result.feasible());
  for (const ServingEntry& one : result.best) EXPECT_EQ(one.prefill_tp, 2);
  ASSERT_TRUE(result.best.front().result.run);
  EXPECT_TRUE(result.best.front().result.run->pools);
  EXPECT_THROW(search({"search.prefill_tp=[2]", "search.disaggregated=false"}), core::ConfigError);
  EXPECT_THROW(search({"inference.disaggregated={}", "search.disaggregated=false"}),
               core::ConfigError);
}

/// Nodes, then accelerators of the best.
std::pair<std::int64_t, std::int64_t> need_of(const ServingSearchResult& result) {
  const simulation::InferenceResult& best = result.best.front().result;
  return {best.num_nodes, best.num_accelerators};
}

TEST(ServingSearch, MoreFreedomNeedsNoMore) {
  for (const char* model : {"llama-2-7b", "qwen3-30b-a3b"}) {
    const Settings asked = {std::string("inference.model=") + model,
                            "inference.weights=fp8",
                            "inference.requests_per_s=300",
                            "inference.time_to_first_token=1 s",
                            "inference.time_per_output_token=12 ms",
                            "search.batch=[8, 32, 64, 128, 256]",
                            "cluster.nodes=16"};
    const ServingSearchResult free = search(asked);
    ASSERT_TRUE(free.feasible()) << model;
    for (const Settings& less : {Settings{"search.disaggregated=false"},
                                 {"inference.disaggregated={}"},
                                 {"search.attention_dp=false"},
                                 {"search.max_tokens=[8192]"},
                                 {"search.pp=[1]"}}) {
      const ServingSearchResult narrow = search(joined(asked, less));
      if (!narrow.feasible()) continue;
      EXPECT_LE(need_of(free), need_of(narrow)) << model << less.front();
    }
    const simulation::InferenceResult found = simulated(asked, free.best.front().settings);
    EXPECT_EQ(found.num_accelerators, free.best.front().result.num_accelerators);
  }
}

TEST(ServingSearch, TriesPromptsApartTogetherWithDataParallelAttention) {
  // Either alone takes a second rack.
  const core::Node tree = core::parse_yaml(
      "name: racks\n"
      "inference: {model: deepseek-r1, weights: fp4, kv_cache: fp8, prompt_tokens: 4000, "
      "output_tokens: 1000, requests_per_s: 120, time_to_first_token: 2 s, "
      "time_per_output_token: 30 ms, library: nccl-2.30, redundant_nodes: 0}\n"
      "cluster: {nodes: 8, node: gb200-nvl72, fabric: {topology: rail_optimized, switch: qm9790}}\n"
      "search: {tp: [2, 4, 8], prefill_tp: [2, 4], max_tokens: [8192]}\n",
      "r.yaml");
  const ServingSearchResult result = planner::search_service(tree, source_catalogue(), {});
  ASSERT_TRUE(result.feasible());
  EXPECT_EQ(result.best.front().result.num_nodes, 1);
  EXPECT_TRUE(result.best.front().attention_dp);
  EXPECT_GT(result.best.front().prefill_tp, 0);
  ASSERT_TRUE(result.aggregated);
  EXPECT_EQ(result.aggregated->result.num_nodes, 2);
}

TEST(ServingSearch, IsTheSameForAnyNumberOfThreads) {
  const Settings load = {"inference.requests_per_s=20", "inference.load.requests=200"};
  const auto with = [&](int threads) {
    return output::to_json(search(load, {.front = true, .num_threads = threads}));
  };
  EXPECT_EQ(with(1), with(4));
}

}  // namespace
}  // namespace railwright::test
