// SPDX-License-Identifier: Apache-2.0
// Files of a checkpoint as storage sees them: operations beside their bytes, and the room they
// take.
#include <gtest/gtest.h>

#include "railwright/workloads/training/simulate.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::kLlama7bBytes;
using test::run_of;

/// Two writers, each on a storage node of its own.
test::Settings files(const std::string& latency, const test::Settings& more = {}) {
  return test::join(
      {"checkpoint={interval_steps: 100, metadata_operations: 2, files_per_writer: 1000}",
       "software.checkpoint.serialization_rate={value: 1e15 GB/s, source: test}",
       "cluster.storage.node.latency={value: " + latency + ", source: test}",
       "cluster.storage.mount={latency: 3 ms}",
       "cluster.storage.node.write_operations_per_s={value: 1000, source: test}",
       "cluster.storage.node.read_operations_per_s={value: 4000, source: test}"},
      more);
}

TEST(CheckpointFiles, AreOpenedOneByOneByTheirWriter) {
  const JobRun run = run_of(files("2 ms"), 7.0).job();
  EXPECT_EQ(run.checkpoint.num_files, 2000);
  // 1000 files of two operations of 5 ms each.
  EXPECT_NEAR(run.checkpoint.time.base(), 10 + kLlama7bBytes / 2 / 1.2e9, 1e-6);
  EXPECT_NEAR(run.restore.time.base(), 10 + kLlama7bBytes / 2 / 1.2e9, 1e-6);
  EXPECT_NEAR(run.training_time().base(), 3500 + 5 * run.checkpoint.time.base(), 1e-6);
}

TEST(CheckpointFiles, TakeTheOperationsOfTheirStorageNode) {
  const test::Settings many =
      files("0 s", {"checkpoint.files_per_writer=100000", "cluster.storage.mount={latency: 0 s}"});
  const RunResult result = run_of(many, 7.0);
  const JobRun& run = result.job();
  // 200,000 operations at a node that takes 1000 a second.
  EXPECT_NEAR(run.checkpoint.time.base(), 200, 1e-6);
  EXPECT_EQ(run.checkpoint.limit, "storage nodes");
  // 16 readers of 100,000 files each, six of them on one node.
  EXPECT_NEAR(run.restore.time.base(), 6 * 2 * 100'000 / 4000.0, 1e-6);
  // Beside those on bytes, 1 MiB each.
  EXPECT_NEAR(result.storage.peak_operations_per_s, (4e5 + kLlama7bBytes / 1048576) / 200, 1e-3);
}

/// Storage is not left out in silence.
TEST(CheckpointFiles, OfMoreThanACenturyDoNotFit) {
  const RunResult result = run_of(files("2 ms", {"workload.steps=1000000000000"}), 7.0);
  EXPECT_TRUE(result.is_beyond_clock);
  std::vector<Infeasibility> reasons;
  check_run(result, reasons);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(reasons.front().what.find("simulated for 100 years at most"), std::string::npos)
      << reasons.front().what;
}

TEST(CheckpointFiles, CostNothingByThemselvesUnlessAsked) {
  const JobRun run = run_of(files("2 ms", {"checkpoint.metadata_operations=0"}), 7.0).job();
  EXPECT_NEAR(run.checkpoint.time.base(), kLlama7bBytes / 2 / 1.2e9, 1e-9);
}

TEST(CheckpointFiles, WithoutARateCostTheirLatencyAlone) {
  const JobRun run = run_of(files("2 ms", {"checkpoint.files_per_writer=100000",
                                           "cluster.storage.node.write_operations_per_s={value: "
                                           "1e300, source: no limit known}"}),
                            7.0)
                         .job();
  EXPECT_NEAR(run.checkpoint.time.base(), 1000 + kLlama7bBytes / 2 / 1.2e9, 1e-6);
}

/// What the storage counts as two to one.
class Reduced : public testing::Test {
 protected:
  static RunResult with(const test::Settings& more) {
    return run_of(test::join({"checkpoint={interval_steps: 100, retention: 2}",
                              "cluster.storage.data_reduction=2", "cluster.storage.used=1 TB"},
                             more),
                  7.0);
  }
};

TEST_F(Reduced, RandomBytesTakeTheRoomOfTwoFiles) {
  EXPECT_DOUBLE_EQ(with({}).storage.max_used.base(), 1e12 + 3 * kLlama7bBytes);
  const RunResult dense = with({"checkpoint.data_reduction=1"});
  EXPECT_DOUBLE_EQ(dense.storage.max_used.base(), 1e12 + 2 * 3 * kLlama7bBytes);
  EXPECT_EQ(dense.job().bytes_written, 5 * kLlama7bBytes) << "clients write what they have";
  const RunResult packed = with({"checkpoint.data_reduction=4"});
  EXPECT_DOUBLE_EQ(packed.storage.max_used.base(), 1e12 + 1.5 * kLlama7bBytes);
}

TEST_F(Reduced, ADatasetTakesItsOwnRoom) {
  const RunResult result = with({"data={size: 3 TB, data_reduction: 3}"});
  EXPECT_DOUBLE_EQ(result.storage.max_used.base(), 1e12 + 2e12 + 3 * kLlama7bBytes);
  EXPECT_DOUBLE_EQ(with({"data.size=3 TB"}).storage.max_used.base(),
                   1e12 + 3e12 + 3 * kLlama7bBytes)
      << "reduced as the storage reduces";
}

TEST_F(Reduced, WhatIsTooMuchDoesNotFit) {
  // Three F600 Prime: 184.32 TB raw, two thirds of it data, twice of that usable.
  const auto reasons_of = [](const std::string& reduction) {
    std::vector<Infeasibility> reasons;
    check_run(with({"cluster.storage.used=245.4 TB", "checkpoint.data_reduction=" + reduction}),
              reasons);
    return reasons.size();
  };
  EXPECT_EQ(reasons_of("2"), 0) << "245.4 + 0.28 of 245.76";
  EXPECT_EQ(reasons_of("1"), 1) << "245.4 + 0.57";
}

TEST_F(Reduced, ADatasetLargerThanTheStorageDoesNotFit) {
  std::vector<Infeasibility> reasons;
  check_run(with({"data.size=5 PB"}), reasons);
  ASSERT_EQ(reasons.size(), 1);
  EXPECT_NE(reasons.front().what.find("5.00 PB of storage that holds 246 TB"), std::string::npos)
      << reasons.front().what;
}

TEST_F(Reduced, TargetsOfCapacityFollow) {
  const auto nodes = [](const std::string& reduction) {
    // 1000 checkpoints are 94.3 TB; a node holds 61.44 TB before protection.
    const RunResult result =
        with({"run.targets={checkpoints_kept: 4000}", "checkpoint.data_reduction=" + reduction});
    return result.needs.back().num_nodes;
  };
  // 377 + 1 TB: four nodes hold 368.64 (6+2), five 491.5 (8+2).
  EXPECT_EQ(nodes("2"), 5);
  // 755 + 1 TB: seven nodes hold 737.3 (12+2), eight 860.2 (14+2).
  EXPECT_EQ(nodes("1"), 8);
}

/// Of 16 replicas eight read on each of two nodes, the same half in each epoch.
TEST(PageCache, NeedsRoomForTheNodesOwnPartAlone) {
  const auto time = [](const std::string& data) {
    return run_of(
               {"workload={model: resnet-50, global_batch: 1600, micro_batch: 100, steps: 100, "
                "bytes_per_image: 71875000}",
                "parallelism={}", "cluster.storage.node.read_rate={value: 10 GB/s, source: test}",
                "data={size: 1150 GB, page_cache: 287.5 GB, request: 1 MB" + data + "}"},
               1.0)
        .job()
        .training_time()
        .base();
  };
  const double seconds = 115e9 * 6 / 16 / 10e9;
  EXPECT_NEAR(time(""), 10 * seconds + 90 * seconds * 3 / 4, 1e-3) << "a quarter is found";
  EXPECT_NEAR(time(", fixed_shards: true"), 10 * seconds + 90 * seconds / 2, 1e-3);
}

}  // namespace
}  // namespace railwright::simulation
