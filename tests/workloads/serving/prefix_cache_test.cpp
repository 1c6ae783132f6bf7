// SPDX-License-Identifier: Apache-2.0
// Caches of earlier prompts by the room for them: on accelerators, in nodes and on storage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../../../workloads/src/serving/prefix_places.hpp"
#include "../../support/inference.hpp"
#include "railwright/models/inference/footprint.hpp"

namespace railwright::simulation {
namespace {

using Settings = std::vector<std::string>;

constexpr double kPrompt = 8000.0;
const std::string kTier = "tiers: [{model: dgx-h100-memory, capacity: 1 TB}]";

/// Llama 3.1 8B on one accelerator a replica, with three storage nodes; `cache` is its prefix
/// cache.
Settings with_cache_settings(const std::string& cache) {
  return {"cluster.storage={node: powerscale-f600p, count: 3, switch: s5232f-on}",
          "inference.tp=1",
          "inference.model=llama-3.1-8b",
          "inference.prompt_tokens=8000",
          "inference.requests_per_s=20",
          "inference.prefix_cache={sizes: [1e6, 2e8], hit_rates: [0.2, 0.6], " + cache + "}"};
}

InferenceResult with_cache(const std::string& cache, const Settings& more = {}) {
  Settings settings = with_cache_settings(cache);
  settings.insert(settings.end(), more.begin(), more.end());
  return simulate(test::inference(settings));
}

const PrefixPlace& place(const InferenceResult& result, std::size_t index) {
  return result.prefix_cache.value().places.at(index);
}

TEST(PrefixCache, AcceleratorsHoldWhatRequestsLeaveFree) {
  const InferenceResult result = with_cache("routed: true");
  ASSERT_EQ(result.prefix_cache.value().places.size(), 1U);
  const double tokens = place(result, 0).tokens;
  EXPECT_GT(tokens, 0.0);
  EXPECT_LT(tokens,
            static_cast<double>(result.num_replicas * result.largest_batch) * (kPrompt + 50));
  // On the line from nothing to the first size.
  ASSERT_LT(tokens, 1e6);
  EXPECT_NEAR(result.prefix_cache->hit_rate, 0.2 * tokens / 1e6, 1e-9);
  EXPECT_DOUBLE_EQ(result.prefix_cache->largest_hit_rate, 0.6);
  EXPECT_EQ(result.prefix_cache->read.base(), 0.0);
}

TEST(PrefixCache, WithoutRoutesChanceFindsThem) {
  const InferenceResult routed = with_cache("routed: true");
  const InferenceResult any = with_cache("routed: false");
  ASSERT_GT(any.num_replicas, 1);
  EXPECT_LT(any.prefix_cache->hit_rate,
            routed.prefix_cache->hit_rate / static_cast<double>(any.num_replicas) * 1.2);
}

// What the accelerators do not find comes from storage, at the bytes of its tokens.
TEST(PrefixCache, StorageHasTheRest) {
  const InferenceResult result = with_cache("on_storage: true");
  const PrefixPlace& storage = place(result, 1);
  EXPECT_EQ(storage.name, "storage");
  EXPECT_NEAR(result.prefix_cache->hit_rate, 0.6, 1e-12);
  EXPECT_NEAR(storage.hit_rate, 0.6 - place(result, 0).hit_rate, 1e-12);
  const double of_token = result.kv_cache_per_token.base();
  EXPECT_NEAR(storage.read.base(), 20 * kPrompt * storage.hit_rate * of_token,
              1e-3 * storage.read.base());
  EXPECT_NEAR(result.files.value().read / storage.read, 1.0, 1e-3);
  EXPECT_NEAR(result.files->written / storage.written, 1.0, 1e-3);
  EXPECT_GT(storage.busy_fraction, 0.0);
  EXPECT_NEAR(result.prefix_cache->read.base(), result.files->prefix_read.base(), 1e-9);
  // Three hold it; what they are busy with may take more.
  EXPECT_EQ(result.prefix_cache->storage_nodes,
            std::max(3LL, std::llround(std::ceil(3 * storage.busy_fraction))));
}

// Room in each node finds more than accelerators alone and leaves less to read of storage.
TEST(PrefixCache, TiersStandBeforeStorage) {
  const std::string tiers = "tiers: [{model: dgx-h100-memory, capacity: 1 TB}], routed: true";
  const InferenceResult with = with_cache(tiers + ", on_storage: true");
  const InferenceResult without = with_cache("on_storage: true, routed: true");
  ASSERT_EQ(with.prefix_cache->places.size(), 3U);
  EXPECT_GT(place(with, 1).hit_rate, 0.0);
  EXPECT_GT(place(with, 1).busy_fraction, 0.0);
  EXPECT_LT(place(with, 2).hit_rate, place(without, 1).hit_rate);
  EXPECT_NEAR(with.prefix_cache->hit_rate, without.prefix_cache->hit_rate, 1e-12);
}

// Twice the load is twice as many users between two turns of one.
TEST(PrefixCache, ALoadAsOfTheTraceScalesTheSizes) {
  const InferenceResult same = with_cache("on_storage: true, requests_per_s: 20");
  const InferenceResult ten = with_cache("on_storage: true, requests_per_s: 2");
  EXPECT_NEAR(same.prefix_cache->wanted_tokens, 2e8, 1.0);
  EXPECT_NEAR(ten.prefix_cache->wanted_tokens, 2e9, 1.0);
  EXPECT_GT(ten.prefix_cache->wanted, same.prefix_cache->wanted);
}

TEST(PrefixCache, RoomOnStorageIsCounted) {
  // 2e11 tokens of 64 KiB in fp8 are 13 PB.
  const InferenceResult result = with_cache("on_storage: true, requests_per_s: 0.02");
  EXPECT_GT(result.prefix_cache->storage_nodes, 10);
  EXPECT_LT(result.prefix_cache->hit_rate, 0.6);
}

TEST(PrefixCache, FewerAcceleratorsAnswerWhatIsFound) {
  const InferenceResult none = with_cache("on_storage: false");
  const InferenceResult all = with_cache("on_storage: true");
  EXPECT_LT(all.time_to_first_token(), none.time_to_first_token());
  EXPECT_LT(all.num_accelerators, none.num_accelerators);
}

// Room for more than the largest cluster has is said to be more, and counted as one more.
TEST(PrefixCache, NoClusterHoldsEverything) {
  const InferenceResult result = with_cache("on_storage: true, requests_per_s: 0.0001");
  EXPECT_EQ(result.prefix_cache.value().most_storage_nodes, 252);
  EXPECT_EQ(result.prefix_cache->storage_nodes, 253);
}

// What storage reads is not what tiers read.
TEST(PrefixCache, EachPlaceIsWaitedFor) {
  const InferenceResult both = with_cache(
      "tiers: [{model: dgx-h100-memory, capacity: 1 TB}], on_storage: true, routed: true");
  const double of_storage = both.files.value().prefix_read.base();
  EXPECT_GT(place(both, 1).read.base(), 0.0);
  EXPECT_GT(of_storage, 0.0);
  EXPECT_LT(of_storage, 0.95 * both.prefix_cache.value().read.base());
}

TEST(PrefixCache, ATierThatIsTooBusySaysItsNodes) {
  const InferenceResult result =
      with_cache("tiers: [{model: dgx-h100-memory, capacity: 100 TB, read_rate: 100 MB/s}]");
  ASSERT_FALSE(result.infeasible.empty());
  const std::string nodes = std::to_string(result.nodes_for_load);
  EXPECT_NE(result.infeasible.back().find("times what it moves on its " + nodes + " node"),
            std::string::npos)
      << result.infeasible.back();
}

class FindsOf : public testing::TestWithParam<std::pair<std::string, Settings>> {};

// What a result says that prompts find is what its own replicas and nodes hold.
TEST_P(FindsOf, ItsOwnNodes) {
  Settings settings = with_cache_settings(GetParam().first);
  settings.insert(settings.end(), GetParam().second.begin(), GetParam().second.end());
  const CheckedInference checked = test::inference(settings);
  const InferenceResult result = simulate(checked);
  ASSERT_GT(result.nodes_for_load, 0);
  const PrefixCacheUse own = prefix_cache_use(checked, holders_of(checked, result));
  const PrefixCacheUse& shown = result.prefix_cache.value();
  EXPECT_NEAR(shown.hit_rate / own.hit_rate, 1.0, 0.015);
  ASSERT_EQ(shown.places.size(), own.places.size());
  for (std::size_t i = 0; i < own.places.size(); ++i) {
    EXPECT_NEAR(shown.places[i].tokens, own.places[i].tokens, 0.015 * own.places[i].tokens);
  }
}

INSTANTIATE_TEST_SUITE_P(
    PrefixCaches, FindsOf,
    testing::Values(std::pair{"routed: true", Settings{}}, std::pair{kTier, Settings{}},
                    std::pair{kTier + ", routed: true, on_storage: true", Settings{}},
                    std::pair{kTier + ", routed: true", Settings{"inference.load={requests: 400}"}},
                    std::pair{kTier, Settings{"inference.load={requests: 400}",
                                              "inference.time_to_first_token=2 s"}},
                    std::pair{kTier, Settings{"inference.requests_per_s=null",
                                              "inference.load={concurrency: 64}"}},
                    std::pair{kTier + ", on_storage: true",
                              Settings{"inference.disaggregated={prefill_tp: 1}"}}));

// One replica more leaves room in which so much is found that it is not needed, and so on: that
// many stand, with what they find, and it is said that they were sized with less.
TEST(PrefixCache, WhatDoesNotSettleIsSizedWithLess) {
  const CheckedInference checked = test::inference(
      {"inference.tp=1", "inference.model=llama-3.1-8b", "inference.prompt_tokens=8000",
       "inference.requests_per_s=66.9",
       "inference.prefix_cache={sizes: [2.15e4, 2.15e5], hit_rates: [0.36, 0.7], routed: true}"});
  const InferenceResult result = simulate(checked);
  const PrefixCacheUse& shown = result.prefix_cache.value();
  ASSERT_TRUE(shown.sized_hit_rate);
  EXPECT_LT(*shown.sized_hit_rate, shown.hit_rate);
  EXPECT_DOUBLE_EQ(shown.hit_rate, prefix_cache_use(checked, holders_of(checked, result)).hit_rate);
  EXPECT_FALSE(with_cache("on_storage: true").prefix_cache.value().sized_hit_rate);
}

// Replicas for prompts hand their caches over; tiers and storage find what others find.
TEST(PrefixCache, ReplicasForPromptsKeepNone) {
  const Settings apart{"inference.disaggregated={prefill_tp: 1}"};
  const InferenceResult with = with_cache("on_storage: true", apart);
  EXPECT_EQ(place(with, 0).tokens, 0.0);
  EXPECT_NEAR(place(with, 1).hit_rate, 0.6, 1e-12);
  const InferenceResult without = with_cache("on_storage: false", apart);
  EXPECT_EQ(without.prefix_cache.value().hit_rate, 0.0);
  EXPECT_LT(with.disaggregated.value().prefill_replicas,
            without.disaggregated.value().prefill_replicas);
}

// Nodes that the service does not take hold nothing for it, and rule nothing out.
TEST(PrefixCache, NodesThatAreNotTakenDoNotMatter) {
  // A first token takes 260 ms where nothing is found, as almost nothing is on one of 64 nodes.
  const auto on_nodes = [](const std::string& nodes) {
    return simulate(test::inference(
        {"inference.tp=1", "inference.model=llama-3.1-8b", "inference.prompt_tokens=8000",
         "inference.requests_per_s=20", "inference.time_to_first_token=200 ms",
         "inference.prefix_cache={sizes: [1e6], hit_rates: [0.9], " + kTier + "}",
         "cluster.nodes=" + nodes}));
  };
  const InferenceResult four = on_nodes("4");
  const InferenceResult many = on_nodes("64");
  EXPECT_TRUE(four.feasible());
  EXPECT_TRUE(many.feasible());
  EXPECT_EQ(many.nodes_for_load, four.nodes_for_load);
  EXPECT_DOUBLE_EQ(many.prefix_cache.value().hit_rate, four.prefix_cache.value().hit_rate);
}

// Users who wait for their answers load storage as well.
TEST(PrefixCache, UsersLoadStorage) {
  const InferenceResult users = with_cache(
      "on_storage: true", {"inference.requests_per_s=null", "inference.load={concurrency: 64}"});
  EXPECT_GT(place(users, 1).read.base(), 0.0);
  EXPECT_GT(place(users, 1).busy_fraction, 0.0);
  EXPECT_NEAR(users.files.value().read / place(users, 1).read, 1.0, 0.02);
}

// What accelerators leave free decides whether a first token is in time: it is not given up before
// that is known.
TEST(PrefixCache, FirstTokensAreInTimeByWhatAcceleratorsHold) {
  const auto sized = [](const std::string& hit_rate, const Settings& more) {
    Settings settings{
        "inference.tp=1", "inference.model=llama-3.1-8b", "inference.prompt_tokens=8000",
        "inference.requests_per_s=20",
        "inference.prefix_cache={sizes: [1e4], hit_rates: [" + hit_rate + "], routed: true}"};
    settings.insert(settings.end(), more.begin(), more.end());
    return simulate(test::inference(settings));
  };
  // One that finds nothing takes 260 ms alone, one that finds nine tenths 95 ms.
  const Settings limit{"inference.time_to_first_token=200 ms"};
  EXPECT_TRUE(sized("0.9", limit).feasible());
  EXPECT_FALSE(sized("0.01", limit).feasible());
  EXPECT_LT(sized("0.9", {}).num_accelerators, sized("0.01", {}).num_accelerators);
}

}  // namespace
}  // namespace railwright::simulation
