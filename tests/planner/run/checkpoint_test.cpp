// SPDX-License-Identifier: Apache-2.0
// One checkpoint on the run clock.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "../../support/scenario.hpp"
#include "railwright/planner/run/run.hpp"

namespace railwright::planner {
namespace {

constexpr double kWriterRate = 1.2e9;
constexpr double kSerializationRate = 1e9;
constexpr double kLlama7bBytes = 14 * 6'738'415'616.0;
constexpr double kTick = 1e-9;

CheckpointResult checkpoint(const test::Settings& settings) {
  const test::BuiltScenario built(settings);
  return simulate_checkpoint(built.checked, built.built.fabric);
}

test::Settings writers(int tp, int pp, int storage_nodes) {
  return {"parallelism.tp=" + std::to_string(tp), "parallelism.pp=" + std::to_string(pp),
          "workload.global_batch=64", "cluster.nodes=8",
          "cluster.storage.count=" + std::to_string(storage_nodes)};
}

const std::string kInstantSerialization =
    "software.checkpoint.serialization_rate={value: 1e6 GB/s, source: test}";

TEST(CheckpointRun, OneWriterAlternatesBetweenSerializingAndWriting) {
  const CheckpointResult result = checkpoint({"parallelism.tp=1"});
  EXPECT_EQ(result.num_files, 1);
  const double exact = kLlama7bBytes * (1 / kWriterRate + 1 / kSerializationRate);
  // Serializing and writing each end at the first tick at or after their exact end.
  const double pieces = std::ceil(kLlama7bBytes / 256e6);
  EXPECT_GE(result.time.base(), exact * (1 - 1e-12));
  EXPECT_LE(result.time.base(), exact + 2 * pieces * kTick);
  EXPECT_NEAR(result.peak_write.base() / kWriterRate, 1.0, 1e-6);
  EXPECT_TRUE(result.writers_limit);
}

TEST(CheckpointRun, WritersShareTheFileEvenly) {
  const CheckpointResult one = checkpoint(writers(1, 1, 32));
  for (const auto& [tp, pp] : {std::pair{2, 1}, {4, 2}, {8, 2}}) {
    const CheckpointResult result = checkpoint(writers(tp, pp, 32));
    EXPECT_EQ(result.num_files, tp * pp);
    EXPECT_NEAR(result.time / one.time * tp * pp, 1.0, 1e-6);
    EXPECT_TRUE(result.writers_limit);
  }
}

TEST(CheckpointRun, BytesAreThoseOfTheModelAndTheMeanIsTheirRate) {
  for (const int tp : {1, 4, 8}) {
    const CheckpointResult result = checkpoint(writers(tp, 2, 3));
    EXPECT_EQ(result.bytes, 14 * 6'738'415'616);
    EXPECT_NEAR((result.mean_write * result.time).base(), kLlama7bBytes, 1.0);
    EXPECT_LE(result.mean_write, result.peak_write * (1 + 1e-9));
  }
}

TEST(CheckpointRun, ManyWritersAreLimitedByStorage) {
  const CheckpointResult result = checkpoint(test::join(writers(8, 4, 3), {kInstantSerialization}));
  EXPECT_FALSE(result.writers_limit);
  // 32 writers want 38 GB/s; three nodes absorb 3 GB/s each and hold 2 GB/s each.
  EXPECT_NEAR(result.time.base(), kLlama7bBytes / 6e9, 1e-6);
  EXPECT_NEAR(result.peak_write.base(), 9e9, 9e9 * 1e-4);
}

/// With nodes that hold their burst rate, the flow simulation itself sets the time.
TEST(CheckpointRun, StorageThatHoldsItsBurstIsFilledToTheRim) {
  const CheckpointResult result = checkpoint(test::join(
      writers(8, 2, 4),
      {kInstantSerialization, "cluster.storage.node.write_rate={value: 3 GB/s, source: test}"}));
  EXPECT_FALSE(result.writers_limit);
  EXPECT_NEAR(result.time.base() / (kLlama7bBytes / 12e9), 1.0, 1e-4);
}

TEST(CheckpointRun, WideStorageSeesAllWritersAtOnce) {
  for (const int tp : {2, 4, 8}) {
    const CheckpointResult result = checkpoint(writers(tp, 2, 24));
    EXPECT_NEAR(result.peak_write.base() / (2 * tp * kWriterRate), 1.0, 1e-6) << tp;
  }
}

TEST(CheckpointRun, MoreStorageNodesAreNeverSlower) {
  for (const auto& [tp, pp] : {std::pair{2, 1}, {8, 1}, {8, 4}}) {
    for (const bool instant : {false, true}) {
      double before = 1e300;
      for (int nodes = 3; nodes <= 14; ++nodes) {
        const auto more = instant ? test::Settings{kInstantSerialization} : test::Settings{};
        const double time = checkpoint(test::join(writers(tp, pp, nodes), more)).time.base();
        EXPECT_LE(time, before * (1 + 1e-9)) << tp << " " << pp << " " << nodes;
        before = time;
      }
    }
  }
}

TEST(CheckpointRun, Llama70bTakesWhatItsSixteenWritersTake) {
  const CheckpointResult result = checkpoint(test::llama_2_70b());
  const double file = 14 * 68'976'648'192.0 / 16;
  const double unlimited = file * (1 / kWriterRate + 1 / kSerializationRate);
  const double sustained = 16 * file / 6e9;
  EXPECT_EQ(result.num_files, 16);
  EXPECT_GE(result.time.base(), std::max(unlimited, sustained) * (1 - 1e-9));
}

}  // namespace
}  // namespace railwright::planner
