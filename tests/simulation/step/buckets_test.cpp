// SPDX-License-Identifier: Apache-2.0
// How a stage's gradients and parameters are cut into buckets.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {
namespace {

using test::BuiltScenario;

BuiltScenario with_buckets(const std::string& size, const test::Settings& more = {}) {
  return BuiltScenario(test::join(more, {"software.bucket={value: " + size + ", source: test}"}));
}

std::vector<double> parameters(const BuiltScenario& built, std::size_t stage) {
  std::vector<double> dense;
  for (const models::ShardParameters& place : models::parameters_by_layer(
           built.checked.scenario.workload.model, built.checked.layout, static_cast<int>(stage))) {
    dense.push_back(place.dense);
  }
  return dense;
}

/// The layer that holds the parameter at `depth`, counted from the end of the stage.
int layer_at(const std::vector<double>& by_layer, double depth) {
  for (std::size_t layer = by_layer.size(); layer-- > 0;) {
    if (depth < by_layer[layer]) return static_cast<int>(layer);
    depth -= by_layer[layer];
  }
  return -1;
}

TEST(Buckets, CoverAllParametersOfAStageExactly) {
  for (const char* size : {"125 MB", "40 MB", "1 GB", "33333333 B", "100 GB"}) {
    for (const auto& more : {test::Settings{}, test::llama_2_70b()}) {
      const BuiltScenario built = with_buckets(size, more);
      for (std::size_t stage = 0; stage < built.costs.stages.size(); ++stage) {
        std::int64_t gradient_bytes = 0;
        std::int64_t parameter_bytes = 0;
        for (const Bucket& bucket : built.costs.stages[stage].syncs.at(0).buckets) {
          gradient_bytes += bucket.gradient_bytes;
          parameter_bytes += bucket.parameter_bytes;
        }
        double expected = 0.0;
        for (const double p : parameters(built, stage)) expected += p;
        // Each bucket is rounded to a byte; whole parameters are exact.
        const double rounding =
            std::string(size) == "33333333 B"
                ? 0.5 * static_cast<double>(built.costs.stages[stage].syncs.at(0).buckets.size())
                : 0.0;
        EXPECT_NEAR(static_cast<double>(gradient_bytes), 4 * expected, rounding) << size;
        EXPECT_NEAR(static_cast<double>(parameter_bytes), 2 * expected, rounding) << size;
      }
    }
  }
}

TEST(Buckets, AreFullButTheLast) {
  const BuiltScenario built = with_buckets("125 MB");
  const auto& buckets = built.costs.stages[0].syncs.at(0).buckets;
  const double bytes = 4 * (6'738'415'616.0 + 65 * 4096) / 2;
  ASSERT_EQ(buckets.size(), static_cast<std::size_t>(bytes / 125e6) + 1);
  for (std::size_t i = 0; i + 1 < buckets.size(); ++i) {
    EXPECT_EQ(buckets[i].gradient_bytes, 125'000'000);
    EXPECT_EQ(buckets[i].parameter_bytes, 62'500'000);
  }
  EXPECT_LT(buckets.back().gradient_bytes, 125'000'000);
  EXPECT_GT(buckets.back().gradient_bytes, 0);
}

TEST(Buckets, GrowWithTheReplicasThatShareThem) {
  const auto first = [](const std::string& parameters) {
    const BuiltScenario built =
        with_buckets("125 MB", {"software.bucket_replica_parameters=" + parameters});
    return built.costs.stages[0].syncs.at(0).buckets.front().gradient_bytes;
  };
  EXPECT_EQ(first("0"), 125'000'000);
  EXPECT_EQ(first("1000000"), 125'000'000);      // 4 bytes of a million for each of 8 replicas
  EXPECT_EQ(first("10000000"), 4 * 80'000'000);  // more than `bucket`
}

TEST(Buckets, NameTheLayersWhoseParametersTheyHold) {
  for (const char* size : {"125 MB", "2 GB", "10 MB", "100 GB"}) {
    for (const auto& more : {test::Settings{}, test::llama_2_70b()}) {
      const BuiltScenario built = with_buckets(size, more);
      for (std::size_t stage = 0; stage < built.costs.stages.size(); ++stage) {
        const auto by_layer = parameters(built, stage);
        const auto& buckets = built.costs.stages[stage].syncs.at(0).buckets;
        double begin = 0.0;
        for (const Bucket& bucket : buckets) {
          const double end = begin + static_cast<double>(bucket.gradient_bytes) / 4;
          EXPECT_EQ(bucket.last_layer, layer_at(by_layer, begin + 0.5)) << size;
          EXPECT_EQ(bucket.first_layer, layer_at(by_layer, end - 0.5)) << size;
          begin = end;
        }
        EXPECT_EQ(buckets.front().last_layer, static_cast<int>(by_layer.size()) - 1);
        EXPECT_EQ(buckets.back().first_layer, 0);
      }
    }
  }
}

TEST(Buckets, OneReplicaNeedsNone) {
  const BuiltScenario built({"parallelism.tp=8", "cluster.nodes=1"});
  EXPECT_EQ(built.checked.layout.dp, 1);
  EXPECT_TRUE(built.costs.stages[0].syncs.empty());
  EXPECT_FALSE(built.costs.gathers_parameters);
}

}  // namespace
}  // namespace railwright::simulation
