// SPDX-License-Identifier: Apache-2.0
// Files on their way to and from storage beside a job's own: staging, copies to another site, moves
// to an archive, deleted files that snapshots hold.
#include <gtest/gtest.h>

#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::kLlama7bBytes;
using test::run_of;
using test::time_of;

/// One checkpoint is written in this time, by two writers.
constexpr double kWriteSeconds = kLlama7bBytes / 2 / 1.2e9;

/// Five checkpoints, one behind every 700 s of steps.
RunResult five_checkpoints(const test::Settings& more) {
  return run_of(
      test::join({"checkpoint={interval_steps: 100}",
                  "software.checkpoint.serialization_rate={value: 1e15 GB/s, source: test}"},
                 more),
      7.0);
}

TEST(Replication, ACopyIsAsOldAsItsTransfer) {
  const RunResult result = five_checkpoints({"cluster.storage.replication_rate=1 GB/s"});
  const CopyRun& copies = result.storage.copies_to(CopyDestination::kOtherSite);
  EXPECT_NEAR(copies.max_age.base(), kLlama7bBytes / 1e9, 1e-6);
  EXPECT_DOUBLE_EQ(copies.bytes.base(), 4 * kLlama7bBytes);
  EXPECT_DOUBLE_EQ(copies.left.base(), kLlama7bBytes) << "the job ends with the fifth";
  EXPECT_DOUBLE_EQ(copies.max_backlog.base(), kLlama7bBytes);
  EXPECT_NEAR(result.job().training_time().base(), 3500 + 5 * kWriteSeconds, 1e-6)
      << "writers are slower than what the copies leave";
  EXPECT_NEAR(result.storage.peak_read.base(), 1e9, 1e8);
}

TEST(Replication, FallsBehindOverASlowLink) {
  const RunResult result = five_checkpoints({"cluster.storage.replication_rate=50 MB/s"});
  const CopyRun& copies = result.storage.copies_to(CopyDestination::kOtherSite);
  // The first takes 1887 s; the second is not there when the job ends.
  EXPECT_DOUBLE_EQ(copies.bytes.base(), kLlama7bBytes);
  EXPECT_DOUBLE_EQ(copies.max_backlog.base(), 4 * kLlama7bBytes);
  EXPECT_NEAR(copies.max_age.base(), 3 * (700 + kWriteSeconds), 1e-6);
}

TEST(Replication, StandsStillWithTheStorage) {
  const auto age = [](const test::Settings& more) {
    return five_checkpoints(test::join({"cluster.storage.replication_rate=1 GB/s"}, more))
        .storage.copies_to(CopyDestination::kOtherSite)
        .max_age.base();
  };
  const test::Settings two_down{
      "run.incidents=[{time: 745 s, component: storage_node}, {time: 746 s, component: "
      "storage_node}]",
      "reliability={name: r, description: r, failures: [], detection: 0 s, replacement: 0 s, "
      "restart: 0 s, repair: 100 s}"};
  EXPECT_NEAR(age(two_down) - age({}), 99.0, 1.0);
}

TEST(Replication, TakesDrivesFromTheNextCheckpoint) {
  const double time =
      five_checkpoints({"cluster.storage.replication_rate=120 MB/s",
                        "cluster.storage.node.read_rate={value: 0.3 GB/s, source: test}",
                        "software.checkpoint.writer_rate={value: 2.4 GB/s, source: test}"})
          .job()
          .training_time()
          .base();
  // A copy goes on behind the next checkpoint and takes 0.12 of 0.9 GB/s of the drives.
  const double beside_a_copy = 3 * 2e9 * 8 / 9 * (1 - 0.12 / 0.9);
  EXPECT_NEAR(time, 3500 + kLlama7bBytes / 4.8e9 + 4 * kLlama7bBytes / beside_a_copy, 1e-3);
}

/// Four archive nodes that take `rate` each.
test::Settings archive(const std::string& rate, const test::Settings& more = {}) {
  return test::join({"cluster.storage.archive={node: powerscale-a300, count: 4}",
                     "cluster.storage.archive.node.write_rate={value: " + rate + ", source: test}",
                     "cluster.storage.archive.node.rated_nodes={value: 4, source: test}",
                     "checkpoint={interval_steps: 100, archive_after: 1, retention: 3}"},
                    more);
}

TEST(Archive, TakesAllButTheNewest) {
  const RunResult result = five_checkpoints(archive("100 MB/s"));
  const CopyRun& moves = result.storage.copies_to(CopyDestination::kArchive);
  EXPECT_NEAR(moves.max_age.base(), kLlama7bBytes / 0.4e9, 1e-6);
  EXPECT_DOUBLE_EQ(moves.bytes.base(), 3 * kLlama7bBytes);
  EXPECT_DOUBLE_EQ(result.storage.max_archived.base(), 2 * kLlama7bBytes)
      << "the oldest of three is deleted there";
  EXPECT_DOUBLE_EQ(result.storage.max_used.base(), 2 * kLlama7bBytes)
      << "the newest and the one being written";
}

TEST(Archive, ThatIsTooSlowLeavesDeletedFilesOnTheFirstPool) {
  const RunResult result = five_checkpoints(archive("10 MB/s"));
  EXPECT_EQ(result.storage.max_archived.base(), 0.0);
  EXPECT_DOUBLE_EQ(result.storage.max_used.base(), 5 * kLlama7bBytes);
  EXPECT_DOUBLE_EQ(result.storage.copies_to(CopyDestination::kArchive).left.base(),
                   4 * kLlama7bBytes);
}

TEST(Archive, IsPartOfTheCluster) {
  const test::BuiltScenario built(archive("100 MB/s"));
  int count = 0;
  for (const core::Part& part : built.built.parts.parts) {
    if (part.name == "powerscale-a300") count += part.count;
  }
  EXPECT_EQ(count, 4);
}

TEST(Snapshots, HoldWhatRetentionDeletes) {
  const auto used = [](const std::string& time) {
    return five_checkpoints(
               {"checkpoint.retention=2", "cluster.storage.snapshot_retention=" + time})
        .storage.max_used.base();
  };
  EXPECT_DOUBLE_EQ(used("0 s"), 3 * kLlama7bBytes);
  EXPECT_DOUBLE_EQ(used("1 h"), 5 * kLlama7bBytes);
  // The first is deleted with the third complete and held until the fifth is half written.
  EXPECT_DOUBLE_EQ(used("1450 s"), 5 * kLlama7bBytes);
  EXPECT_DOUBLE_EQ(used("800 s"), 4 * kLlama7bBytes);
}

TEST(Staging, ComesBeforeTheFirstStep) {
  const RunResult result = five_checkpoints({"data={size: 1 TB, staging_rate: 2 GB/s}"});
  EXPECT_NEAR(time_of(result.job(), RunCause::kStartUp), 500.0, 1e-6);
  EXPECT_NEAR(result.job().bytes_written, 1e12 + 5 * kLlama7bBytes, 1.0);
  const RunResult fast = five_checkpoints({"data={size: 1 TB, staging_rate: 100 GB/s}"});
  EXPECT_NEAR(time_of(fast.job(), RunCause::kStartUp), 1e12 / (3 * 2e9 * 8 / 9), 1e-3)
      << "what three F600 Prime write without end";
}

TEST(Staging, StartsAgainAfterAFailure) {
  const RunResult result = five_checkpoints({"data={size: 1 TB, staging_rate: 2 GB/s}",
                                             "run.incidents=[{time: 100 s, component: node}]"});
  EXPECT_NEAR(time_of(result.job(), RunCause::kStartUp), 600.0, 1e-6);
  EXPECT_NEAR(result.job().bytes_written, 1.2e12 + 5 * kLlama7bBytes, 10.0);
  EXPECT_DOUBLE_EQ(result.storage.max_used.base(), 1e12 + 5 * kLlama7bBytes)
      << "the room of the dataset is not given back";
}

TEST(Cache, OfStorageNodesReadsACheckpointOnceForAllReplicas) {
  // Drives that write all the time leave little to reads.
  const auto restore = [](const std::string& cache) {
    return time_of(
        five_checkpoints({"run.incidents=[{time: 900 s, component: software}]",
                          "run.other_loads=[{duration: 2 h, write: 5 GB/s}]",
                          "cluster.storage.node.cache={value: " + cache + ", source: test}"})
            .job(),
        RunCause::kRestore);
  };
  EXPECT_LT(restore("100 GB"), 0.8 * restore("0 B"));
  EXPECT_EQ(restore("10 GB"), restore("0 B")) << "three nodes keep less than a checkpoint";
}

TEST(Mount, BoundsAStreamByItsRequestsInFlight) {
  const auto time = [](const std::string& in_flight) {
    return five_checkpoints({"cluster.storage.node.latency={value: 0 s, source: test}",
                             "cluster.storage.mount={latency: 10 ms, request: 1 MB, "
                             "requests_in_flight: " +
                                 in_flight + "}"})
        .job()
        .checkpoint.time.base();
  };
  EXPECT_NEAR(time("1"), kLlama7bBytes / 2 / 1e8, 1e-6);
  EXPECT_NEAR(time("4"), kLlama7bBytes / 2 / 4e8, 1e-6);
  EXPECT_NEAR(time("100"), kWriteSeconds, 1e-6);
}

/// Sixteen replicas on two nodes read 1.15 GB a step.
double time_of_images(const test::Settings& more) {
  return run_of(
             test::join({"workload={model: resnet-50, global_batch: 1600, micro_batch: 100, steps: "
                         "100, bytes_per_image: 718750}",
                         "parallelism={}", "data.num_workers=100"},
                        more),
             1.0)
      .job()
      .training_time()
      .base();
}

TEST(Cores, ThatMoveAndDecodeBoundTheSteps) {
  EXPECT_NEAR(time_of_images({}), 100.0, 1e-6);
  // 800 images a node and step, of 10 ms each, and 575 MB that a core moves at 1 GB/s.
  const test::Settings costly{"data.decode=10 ms",
                              "cluster.storage.mount={processor_rate: 1 GB/s}"};
  EXPECT_NEAR(
      time_of_images(test::join(costly, {"cluster.node.num_cores={value: 4, source: test}"})),
      100 * (8 + 0.575) / 4, 1e-3);
  EXPECT_NEAR(
      time_of_images(test::join(costly, {"cluster.node.num_cores={value: 64, source: test}"})),
      100.0, 1e-6);
}

TEST(Cores, OfAWorkerMoveItsBytesOneAfterTheOther) {
  const std::string port =
      "cluster.storage.node.front_end_port_rate={value: 1e6 Gb/s, source: test}";
  // One worker a reader: 100 images of 718,750 bytes at 50 MB/s a core.
  EXPECT_NEAR(time_of_images({"data.num_workers=1", "data.request=71.875 MB",
                              "cluster.storage.node.latency={value: 0 s, source: test}",
                              "cluster.storage.node.read_rate={value: 1e6 GB/s, source: test}",
                              port, "cluster.storage.mount={processor_rate: 50 MB/s}"}),
              100 * 71.875 / 50, 1.5);
}

}  // namespace
}  // namespace railwright::simulation
