// SPDX-License-Identifier: Apache-2.0
// One checkpoint by itself.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "railwright/workloads/training/simulate.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::kLlama7bBytes;

constexpr double kWriterRate = 1.2e9;
constexpr double kSerializationRate = 1e9;
CheckpointResult checkpoint(const test::Settings& settings) {
  return test::run_of(settings, 1.0).job().checkpoint;
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
  EXPECT_DOUBLE_EQ(result.time.base(), kLlama7bBytes * (1 / kWriterRate + 1 / kSerializationRate));
  EXPECT_NEAR(result.peak_write.base() / kWriterRate, 1.0, 1e-6);
  EXPECT_EQ(result.limit, "writers");
}

TEST(CheckpointRun, WritersShareTheFileEvenly) {
  const CheckpointResult one = checkpoint(writers(1, 1, 32));
  for (const auto& [tp, pp] : {std::pair{2, 1}, {4, 2}, {8, 2}}) {
    const CheckpointResult result = checkpoint(writers(tp, pp, 32));
    EXPECT_EQ(result.num_files, tp * pp);
    EXPECT_NEAR(result.time / one.time * tp * pp, 1.0, 1e-6);
    EXPECT_EQ(result.limit, "writers");
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
  EXPECT_EQ(result.limit, "drives of the storage nodes");
  // Rated 2 GB/s, 3 GB/s in a burst, where protection writes 4/3 bytes for each: here 3/2. One of
  // three nodes takes eleven of the 32 streams.
  EXPECT_NEAR(result.time.base(), kLlama7bBytes / (3 * 2e9 * 8 / 9), 1e-6);
  EXPECT_NEAR(result.peak_write.base() / (3e9 * 8 / 9 * 32 / 11), 1.0, 1e-9);
}

/// Sixteen streams to four nodes of the kind that the rates were measured on.
TEST(CheckpointRun, StorageThatHoldsItsBurstIsFilledToTheRim) {
  const CheckpointResult result = checkpoint(test::join(
      writers(8, 2, 4),
      {kInstantSerialization, "cluster.storage.node.write_rate={value: 3 GB/s, source: test}"}));
  EXPECT_EQ(result.limit, "storage nodes");
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

/// Six of sixteen writers meet in one of three nodes, which takes 8/9 of 3 GB/s.
TEST(CheckpointRun, Llama70bWaitsForItsBusiestStorageNode) {
  const CheckpointResult result = checkpoint(test::llama_2_70b());
  const double file = 14 * 68'976'648'192.0 / 16;
  EXPECT_EQ(result.num_files, 16);
  EXPECT_EQ(result.limit, "storage nodes");
  EXPECT_NEAR(result.time.base(), file / kSerializationRate + 6 * file / (3e9 * 8 / 9), 1e-6);
}

TEST(CheckpointRun, AllRanksWriteTheirShareToTheByte) {
  const auto shards = test::join(writers(2, 2, 32),
                                 {"software.checkpoint.sharding={value: all_ranks, source: test}"});
  const CheckpointResult result = checkpoint(shards);
  EXPECT_EQ(result.num_files, 64);
  EXPECT_EQ(result.bytes, 14 * 6'738'415'616);
  const double one_file = 14 * 6'738'415'616.0 / 64;
  EXPECT_NEAR(result.time.base() / (one_file * (1 / kWriterRate + 1 / kSerializationRate)), 1.0,
              1e-6);
}

TEST(CheckpointRun, AMountHoldsTheStreamsOfItsClientBack) {
  const test::Settings mount = {
      "cluster.storage.mount={write_rate: 0.5 GB/s, num_connections: 2, read_rate: 1 GB/s}"};
  // Two writers of 1.2 GB/s each, both on the first node.
  const RunResult result = test::run_of(test::join(writers(2, 1, 32), mount), 1.0);
  EXPECT_EQ(result.job().checkpoint.limit, "mounts of the clients");
  EXPECT_NEAR(result.job().checkpoint.time.base(),
              kLlama7bBytes / 2 / kSerializationRate + kLlama7bBytes / 1e9, 1e-6);
  // 32 replicas read it back, 8 ranks on each of 8 nodes.
  EXPECT_EQ(result.job().restore.num_readers, 64);
  EXPECT_NEAR(result.job().restore.time.base(), 8 * kLlama7bBytes / 2 / 2e9, 1e-6);
}

TEST(AsynchronousCheckpoint, StopsTrainingForItsPlanAndItsCopy) {
  const test::Settings plan = {"checkpoint={interval_steps: 100, mode: asynchronous}"};
  const JobRun run = test::run_of(plan, 1.0).job();
  const double pcie =
      test::scenario().scenario.cluster.node.accelerator.pcie_bandwidth.value.base();
  EXPECT_NEAR(run.snapshot_time.base(), kLlama7bBytes / 2 / pcie + test::kSnapshotOverhead, 1e-9);
  EXPECT_NEAR(run.snapshot.base(), kLlama7bBytes, 1.0) << "both files are on one node";
  const JobRun longer =
      test::run_of(test::join(plan, {"software.checkpoint.snapshot_overhead=6 s"}), 1.0).job();
  EXPECT_NEAR(longer.snapshot_time.base() - run.snapshot_time.base(), 5.0, 1e-9);
  EXPECT_EQ(test::run_of({"checkpoint.interval_steps=100"}, 1.0).job().snapshot.base(), 0.0);
}

/// 405B on 16,384 GPUs: the copy alone takes milliseconds, and so did the best interval once.
TEST(AsynchronousCheckpoint, ItsIntervalCountsTheWholeStop) {
  const test::Settings plan = {"checkpoint={interval_steps: 100, mode: asynchronous}",
                               "reliability=llama-3",
                               "software.checkpoint.sharding={value: all_ranks, source: test}"};
  const JobRun run = test::run_of(plan, 1.0).job();
  const double mean = run.mean_time_to_interruption.base();
  EXPECT_NEAR(run.young_interval.base(), std::sqrt(2 * mean * run.snapshot_time.base()), 1e-6);
  EXPECT_GT(run.young_interval.base(), std::sqrt(2 * mean * test::kSnapshotOverhead));
}

TEST(AsynchronousCheckpoint, NeedsHostMemory) {
  const auto reasons = [](const std::string& memory) {
    std::vector<Infeasibility> found;
    check_run(test::run_of({"checkpoint={interval_steps: 100, mode: asynchronous}",
                            "cluster.node.host_memory=" + memory},
                           1.0),
              found);
    return found;
  };
  EXPECT_TRUE(reasons("100 GB").empty());
  ASSERT_EQ(reasons("90 GB").size(), 1U);
  EXPECT_NE(
      reasons("90 GB")[0].what.find("94.3 GB of a node's host memory of 90.0 GB, 4.34 GB too"),
      std::string::npos)
      << reasons("90 GB")[0].what;
}

}  // namespace
}  // namespace railwright::simulation
