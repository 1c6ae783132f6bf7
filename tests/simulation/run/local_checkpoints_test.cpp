// SPDX-License-Identifier: Apache-2.0
// Checkpoints that the nodes keep themselves first, and that go on to storage behind training.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::kLlama7bBytes;
using test::run_of;
using test::time_of;

// Two writers on the first node, whose drives write 2 GB/s and read 4.
constexpr double kWriteTime = kLlama7bBytes / 2e9;
constexpr double kReadTime = kLlama7bBytes / 4e9;
constexpr double kDrainTime = kLlama7bBytes / 2 / 1.2e9;  // a file, as fast as one writes
constexpr double kRestart = 60 + 120;
constexpr double kReplacement = 30;
constexpr double kTicks = 20e-9;  // each phase ends on a tick

test::Settings local(const test::Settings& more = {}) {
  return test::join(
      {"checkpoint={interval_steps: 100, local: {tier: {name: test, description: test, "
       "medium: drives, capacity: 1 TB, read_rate: 4 GB/s, write_rate: 2 GB/s}, "
       "writer_rate: 10 GB/s}}",
       "software.checkpoint.serialization_rate={value: 1e15 GB/s, source: test}",
       "reliability={name: test, description: test, failures: [], detection: 60 s, "
       "replacement: 30 s, restart: 120 s, repair: 1000 s}",
       "run.num_spares=4"},
      more);
}

std::string broken(double when, const std::string& what) {
  return "run.incidents=[{time: " + fmt::format("{:.9f}", when) + " s, component: " + what + "}]";
}

JobRun without_storage(const test::Settings& settings) {
  auto checked = test::scenario(settings);
  checked.scenario.cluster.storage.reset();
  const auto built = checked.topology->build(checked.scenario.cluster);
  return run_of(checked, built.fabric, 7.0).job();
}

double sum_of_causes(const JobRun& run) {
  return std::accumulate(run.time_s.begin(), run.time_s.end(), 0.0);
}

TEST(LocalCheckpoint, WritersShareTheDrivesOfTheirNode) {
  const LocalRun run = *run_of(local(), 7.0).job().local;
  EXPECT_EQ(run.checkpoint.bytes, 14 * 6'738'415'616);
  EXPECT_EQ(run.checkpoint.num_files, 2);
  EXPECT_NEAR(run.checkpoint.time.base(), kWriteTime, kTicks);
  EXPECT_EQ(run.checkpoint.limit, "local tier");
  EXPECT_NEAR(run.restore.time.base(), kReadTime, kTicks);
  EXPECT_EQ(run.restore.limit, "local tier");
  const LocalRun all = *run_of(local({"software.checkpoint.sharding=all_ranks"}), 7.0).job().local;
  EXPECT_EQ(all.checkpoint.num_files, 16);
  EXPECT_NEAR(all.checkpoint.time.base(), kWriteTime / 2, kTicks) << "two nodes share it";
}

TEST(LocalCheckpoint, WritersAlternateAndHaveACeiling) {
  const LocalRun run =
      *run_of(local({"checkpoint.local.writer_rate=0.5 GB/s",
                     "software.checkpoint.serialization_rate={value: 1 GB/s, source: test}"}),
              7.0)
           .job()
           .local;
  EXPECT_EQ(run.checkpoint.limit, "writers");
  EXPECT_NEAR(run.checkpoint.time.base(), kLlama7bBytes / 2 * (1 / 1e9 + 1 / 0.5e9), kTicks);
  EXPECT_NEAR(run.restore.time.base(), kLlama7bBytes / 2 / 0.5e9, kTicks);
  EXPECT_EQ(run.restore.limit, "readers");
}

/// Checkpoints on the nodes are progress: more failures than a run without any bears are borne.
TEST(LocalCheckpoint, EndsUnderVeryManyFailuresOfSoftware) {
  const JobRun run = without_storage(
      local({"checkpoint.interval_steps=10", "workload.steps=120000", "run.replicas=1",
             "reliability={name: test, description: test, failures: [{component: software, mtbf: "
             "116 s}], detection: 0 s, replacement: 0 s, restart: 0 s, repair: 1 s}"}));
  EXPECT_GT(run.num_interruptions, 100'000.0);
  EXPECT_EQ(run.num_given_up, 0);
}

TEST(LocalCheckpoint, TrainingWaitsForTheDrivesAlone) {
  const JobRun run = run_of(local(), 7.0).job();
  EXPECT_NEAR(run.checkpoint.time.base(), kDrainTime, kTicks) << "nothing is serialized again";
  // The last goes on to storage behind the last step.
  EXPECT_NEAR(run.training_time().base(), 3500 + 5 * kWriteTime + kDrainTime, kTicks);
  EXPECT_NEAR(time_of(run, RunCause::kCheckpointStall), 5 * kWriteTime + kDrainTime, kTicks);
  EXPECT_EQ(run.num_checkpoints, 5);
  EXPECT_EQ(run.local->num_drained, 5);
  EXPECT_EQ(run.bytes_written, 5 * kLlama7bBytes);
  EXPECT_EQ(run.local->bytes_written, 5 * kLlama7bBytes);
  EXPECT_EQ(run.local->bytes_read, 5 * kLlama7bBytes);
  // One kept, and the next.
  EXPECT_EQ(run.local->max_used.base(), 2 * kLlama7bBytes);
}

TEST(LocalCheckpoint, StorageSeesWhatGoesOnToItAlone) {
  const RunResult result = run_of(local(), 7.0);
  double written = 0.0;
  for (const LoadBin& bin : result.storage.bins) written += bin.written_bytes;
  EXPECT_NEAR(written / (5 * kLlama7bBytes), 1.0, 1e-9);
  EXPECT_NEAR(result.storage.peak_write.base() / 2.4e9, 1.0, 1e-6) << "two writers";
  EXPECT_EQ(result.storage.max_used.base(), 5 * kLlama7bBytes);
}

/// The writers are on the first of two nodes; the second has a copy of their parts.
TEST(PeerCopies, SurviveTheLossOfANode) {
  const double when = 700 + kWriteTime + 20;
  const test::Settings lost = {broken(when, "node"), "run.num_spares=4"};
  const JobRun alone = run_of(local(lost), 7.0).job();
  EXPECT_NEAR(time_of(alone, RunCause::kLostWork), 720, 1e-7) << "the drain was under way";
  const JobRun copied = run_of(local(test::join(lost, {"checkpoint.local.copies=2"})), 7.0).job();
  EXPECT_NEAR(copied.local->checkpoint.time.base(), kWriteTime, kTicks) << "a part on each node";
  EXPECT_NEAR(time_of(copied, RunCause::kLostWork), 20, 1e-7);
  EXPECT_EQ(copied.local->num_drained, 5) << "what was on its way goes on";
  EXPECT_NEAR(time_of(copied, RunCause::kRestore), kReadTime, 1e-7) << "NICs move 400 GB/s";
  EXPECT_EQ(copied.local->num_restores, 1);
}

TEST(PeerCopies, GoOverTheScaleOutNics) {
  // One ConnectX-7 at a tenth of its rate moves 5 GB/s at the most.
  const test::Settings slow = {"cluster.node.nics.count=1", "checkpoint.local.copies=2",
                               "cluster.node.nics.nic.line_rate={value: 4 Gb/s, source: test}",
                               "cluster.node.nics.transport.efficiency={value: 1, source: test}"};
  const LocalRun run = *run_of(local(test::join(slow, {broken(2000, "node")})), 7.0).job().local;
  EXPECT_NEAR(run.checkpoint.time.base(), kLlama7bBytes / 0.5e9, 1e-6);
  EXPECT_EQ(run.checkpoint.limit, "scale-out NICs");
  EXPECT_NEAR(run.peer_restore_time.base(), kLlama7bBytes / 0.5e9, 1e-6);
  EXPECT_NEAR(run.restore.time.base(), kReadTime, kTicks) << "nothing moves where all come back";
}

TEST(PeerCopies, TakeRoomAndTimeOfTheNodesTheyAreOn) {
  const test::Settings all = {"software.checkpoint.sharding=all_ranks"};
  const LocalRun one = *run_of(local(all), 7.0).job().local;
  const LocalRun two =
      *run_of(local(test::join(all, {"checkpoint.local.copies=2"})), 7.0).job().local;
  EXPECT_NEAR(two.checkpoint.time.base(), 2 * one.checkpoint.time.base(), kTicks);
  EXPECT_EQ(two.max_used.base(), 2 * one.max_used.base());
  EXPECT_EQ(one.peer_restore_time.base(), 0.0);
}

/// Each has nodes of its own; four writers are less than three storage nodes take.
TEST(LocalCheckpoint, JobsDoNotShareTheirDrives) {
  const test::BuiltScenario whole(local({"cluster.nodes=4"}));
  const CheckedScenario checked = test::scenario(local());
  std::vector<RunJob> jobs(2);
  for (int j = 0; j < 2; ++j) {
    jobs[static_cast<std::size_t>(j)] = {.checked = &checked,
                                         .step_time = core::Duration::from_base(7.0),
                                         .start = {},
                                         .first_node = 2 * j};
  }
  const auto time = [&] {
    return simulate_run(jobs, whole.built.fabric, checked.scenario.run)
        .jobs[1]
        .training_time()
        .base();
  };
  EXPECT_NEAR(time(), 3500 + 5 * kWriteTime + kDrainTime, 1e-7);
  // On the same nodes they would.
  jobs[1].first_node = 0;
  EXPECT_NEAR(time(), 3500 + 5 * 2 * kWriteTime + 2 * kReadTime, 1e-7) << "faster than they read";
}

TEST(LocalCheckpoint, WithoutStorageStaysInTheNodes) {
  const JobRun run = without_storage(local());
  EXPECT_EQ(run.checkpoint.bytes, 0);
  EXPECT_EQ(run.num_checkpoints, 5);
  EXPECT_NEAR(run.training_time().base(), 3500 + 5 * kWriteTime, kTicks);
  EXPECT_EQ(run.local->bytes_written, 5 * kLlama7bBytes);
  EXPECT_EQ(run.local->num_drained, 0);
  EXPECT_EQ(run.bytes_written, 0);
}

TEST(LocalCheckpoint, WithoutStorageANodeTakesAllWithIt) {
  const double when = 700 + kWriteTime + 50;
  const JobRun soft = without_storage(local({broken(when, "software")}));
  EXPECT_NEAR(time_of(soft, RunCause::kLostWork), 50, 1e-7);
  EXPECT_NEAR(soft.training_time().base(), 3500 + 5 * kWriteTime + 50 + kRestart + kReadTime, 1e-7);
  const JobRun hard = without_storage(local({broken(when, "node")}));
  EXPECT_NEAR(time_of(hard, RunCause::kLostWork), 750, 1e-7);
  EXPECT_EQ(time_of(hard, RunCause::kRestore), 0.0);
  EXPECT_NEAR(hard.training_time().base(), 3500 + 6 * kWriteTime + 750 + kRestart + kReplacement,
              1e-5);
}

TEST(LocalCheckpoint, ALossOfPowerEmptiesMemoryAndNotDrives) {
  const double when = 700 + kWriteTime + 50;
  const JobRun drives = without_storage(local({broken(when, "power")}));
  EXPECT_NEAR(time_of(drives, RunCause::kLostWork), 50, 1e-7);
  EXPECT_NEAR(time_of(drives, RunCause::kRestore), kReadTime, kTicks);
  const JobRun memory =
      without_storage(local({broken(when, "power"), "checkpoint.local.tier.medium=memory"}));
  EXPECT_NEAR(time_of(memory, RunCause::kLostWork), 750, 1e-7);
  EXPECT_EQ(time_of(memory, RunCause::kRestore), 0.0);
}

/// Ten seconds into the way to storage of the second checkpoint.
class WhileOnItsWay : public testing::Test {
 protected:
  static constexpr double kWhen = 1400 + 2 * kWriteTime + 10;
  static JobRun after(const std::string& what) {
    return run_of(local({broken(kWhen, what)}), 7.0).job();
  }
};

TEST_F(WhileOnItsWay, SoftwareFindsItOnTheDrives) {
  const JobRun run = after("software");
  EXPECT_NEAR(time_of(run, RunCause::kLostWork), 10, 1e-7);
  EXPECT_NEAR(time_of(run, RunCause::kRestore), kReadTime, kTicks);
  EXPECT_NEAR(run.training_time().base(),
              3500 + 5 * kWriteTime + 10 + kRestart + kReadTime + kDrainTime, 1e-7);
  EXPECT_EQ(run.local->num_drained, 5) << "it goes on meanwhile";
  EXPECT_EQ(run.bytes_written, 5 * kLlama7bBytes);
  EXPECT_LT(run.bytes_read, 1e9) << "samples alone";
  EXPECT_EQ(run.local->num_restores, 1);
  EXPECT_EQ(run.local->bytes_read, 6 * kLlama7bBytes);
}

TEST_F(WhileOnItsWay, ALostNodeGoesBackToTheLastOnStorage) {
  const JobRun run = after("node");
  EXPECT_NEAR(time_of(run, RunCause::kLostWork), 700 + 10, 1e-7);
  // All 16 ranks read half of it from storage.
  EXPECT_NEAR(time_of(run, RunCause::kRestore), kDrainTime, kTicks);
  EXPECT_NEAR(run.training_time().base(),
              3500 + 6 * kWriteTime + 710 + kRestart + kReplacement + 2 * kDrainTime, 1e-7);
  EXPECT_EQ(run.num_checkpoints, 6);
  EXPECT_EQ(run.local->num_drained, 5);
  EXPECT_EQ(run.local->num_restores, 0);
  const double on_its_way = 10 / kDrainTime * kLlama7bBytes;
  EXPECT_NEAR(run.bytes_written, 5 * kLlama7bBytes + on_its_way, 1e3);
  EXPECT_EQ(run.local->bytes_read, run.bytes_written) << "each byte was read to be written";
  EXPECT_NEAR(sum_of_causes(run), run.training_time().base(), kTicks);
}

TEST_F(WhileOnItsWay, ANodeLostDuringTheRestartTakesItToo) {
  const std::string both = "run.incidents=[{time: " + fmt::format("{:.9f}", kWhen) +
                           " s, component: software}, {time: " + fmt::format("{:.9f}", kWhen + 1) +
                           " s, component: node}]";
  const JobRun run = run_of(local({both}), 7.0).job();
  EXPECT_NEAR(time_of(run, RunCause::kLostWork), 700 + 10, 1e-7);
  EXPECT_NEAR(time_of(run, RunCause::kRestart), 1 + kRestart + kReplacement, kTicks);
  EXPECT_NEAR(time_of(run, RunCause::kRestore), kDrainTime, kTicks);
  EXPECT_EQ(run.local->num_restores, 0);
}

/// What is on its way to storage is there in time for the second node to fail.
TEST(LocalCheckpoint, OnceItIsOnStorageANodeCostsNoMore) {
  const JobRun run = run_of(local({broken(700 + kWriteTime + kDrainTime + 1, "node")}), 7.0).job();
  EXPECT_NEAR(time_of(run, RunCause::kLostWork), kDrainTime + 1, 1e-7);
  EXPECT_NEAR(time_of(run, RunCause::kRestore), kDrainTime, kTicks);
}

/// 0.1 GB/s a writer, 0.2 together: 471 s on the way, while checkpoints come every 120 s.
class SlowWay : public testing::Test {
 protected:
  static test::Settings settings(const test::Settings& more = {}) {
    return test::join(local({"software.checkpoint.writer_rate={value: 0.1 GB/s, source: test}",
                             "workload.steps=50", "checkpoint.interval_steps=10"}),
                      more);
  }
  static constexpr double kSlowDrain = kLlama7bBytes / 0.2e9;
  static constexpr double kBeside = kLlama7bBytes / 1.9e9;  // reads take 5 % of the drives
};

TEST_F(SlowWay, TakesItsShareOfTheDrivesAndSkipsWhatIsOvertaken) {
  const JobRun run = run_of(settings(), 7.0).job();
  // The first goes from 117 s to 589 s; 20, 30 and 40 are written beside it, and 50 in part.
  const double first_end = 70 + kWriteTime + kSlowDrain;
  const double fifth_start = 5 * 70 + kWriteTime + 3 * kBeside;
  ASSERT_GT(first_end, fifth_start);
  ASSERT_LT(first_end, fifth_start + kBeside);
  // The next one starts in its place at once.
  EXPECT_NEAR(time_of(run, RunCause::kSteps), 350, kTicks);
  EXPECT_NEAR(run.training_time().base(), first_end + 2 * kSlowDrain, 1e-7) << "40, then 50";
  EXPECT_EQ(run.num_checkpoints, 5);
  EXPECT_EQ(run.local->num_drained, 3);
  EXPECT_EQ(run.bytes_written, 3 * kLlama7bBytes);
  EXPECT_EQ(run.local->bytes_written, 5 * kLlama7bBytes);
  // On its way, the newest, and the next.
  EXPECT_EQ(run.local->max_used.base(), 3 * kLlama7bBytes);
}

TEST_F(SlowWay, KeepsAsManyAsItIsTold) {
  const auto most = [](const std::string& retention) {
    return run_of(settings({"checkpoint.local.retention=" + retention}), 7.0)
               .job()
               .local->max_used.base() /
           kLlama7bBytes;
  };
  // 10 is on its way and 40 the newest while 50 is written; two kept are 30 and 40.
  EXPECT_EQ(most("2"), 4);
  EXPECT_EQ(most("3"), 5);
  EXPECT_EQ(most("9"), 5);
}

TEST_F(SlowWay, MoreThanTheDrivesHoldDoesNotFit) {
  const RunResult run =
      run_of(settings({"checkpoint.local.tier.capacity={value: 250 GB, source: test}"}), 7.0);
  std::vector<Infeasibility> reasons;
  check_run(run, reasons);
  ASSERT_EQ(reasons.size(), 1);
  EXPECT_NE(reasons.front().what.find("take 283 GB of a node's local tier that holds 250 GB"),
            std::string::npos)
      << reasons.front().what;
}

TEST(LocalCheckpoint, EachSecondGoesOnAndTheLast) {
  const JobRun run = run_of(local({"checkpoint.local.drain_every=2"}), 7.0).job();
  EXPECT_EQ(run.local->num_drained, 3);
  EXPECT_EQ(run.bytes_written, 3 * kLlama7bBytes);
  // 50 s behind the fifth start of 100 steps: software goes back to 400, a node too.
  const double when = 2100 + 3 * kWriteTime + 50;
  const JobRun soft =
      run_of(local({"checkpoint.local.drain_every=2", broken(when, "software")}), 7.0).job();
  EXPECT_NEAR(time_of(soft, RunCause::kLostWork), 50, 1e-7);
  const JobRun hard =
      run_of(local({"checkpoint.local.drain_every=2", broken(when, "node")}), 7.0).job();
  EXPECT_NEAR(time_of(hard, RunCause::kLostWork), 750, 1e-7) << "the third is on the drives alone";
}

TEST(LocalCheckpoint, BehindTrainingItCostsItsCopyAlone) {
  const test::Settings settings = local({"checkpoint.mode=asynchronous"});
  const test::BuiltScenario built(settings);
  const JobRun run = run_of(built.checked, built.built.fabric, 7.0).job();
  const auto pcie = built.checked.scenario.cluster.node.accelerator.pcie_bandwidth.value;
  const double copy = kLlama7bBytes / 2 / pcie.base() + test::kSnapshotOverhead;
  EXPECT_NEAR(run.training_time().base(), 3500 + 5 * copy + kWriteTime + kDrainTime, 1e-7);
  EXPECT_EQ(run.bytes_written, 5 * kLlama7bBytes);
  // Ten seconds into the way to the drives: the copy in memory is lost either way.
  for (const char* what : {"software", "node"}) {
    const JobRun broken_run =
        run_of(test::join(settings, {broken(1400 + 2 * copy + 10, what)}), 7.0).job();
    EXPECT_NEAR(time_of(broken_run, RunCause::kLostWork), 700 + 10, 1e-7) << what;
    EXPECT_NEAR(time_of(broken_run, RunCause::kRestore),
                what == std::string("node") ? kDrainTime : kReadTime, kTicks);
    EXPECT_NEAR(broken_run.local->bytes_written, 5 * kLlama7bBytes + 10 * 2e9, 1e3);
  }
}

/// Two of three storage nodes are more than they can do without; samples are in memory by then.
TEST(LocalCheckpoint, DrivesGoOnWhileStorageIsDown) {
  const JobRun run =
      run_of(local({"workload.steps=200", "data={size: 1 MB, page_cache: 1 MB}",
                    "run.incidents=[{time: 100 s, component: storage_node}, {time: 110 s, "
                    "component: storage_node}]",
                    "reliability.repair=2000 s"}),
             7.0)
          .job();
  EXPECT_NEAR(time_of(run, RunCause::kSteps), 1400, kTicks);
  EXPECT_EQ(run.num_checkpoints, 2);
  EXPECT_EQ(run.local->num_drained, 2);
  // Both are on the drives by then; one after the other goes on when the first node is back.
  EXPECT_NEAR(run.training_time().base(), 100 + 2000 + 2 * kDrainTime, 1e-7);
}

TEST(LocalCheckpoint, OneSeedGivesTheSameForAnyNumberOfThreads) {
  const test::Settings settings =
      local({"checkpoint.interval_steps=20",
             "reliability={name: test, description: test, detection: 60 s, replacement: 30 s, "
             "restart: 120 s, repair: 1000 s, failures: [{component: software, mtbf: 4000 s}, "
             "{component: node, mtbf: 8000 s}]}",
             "run={num_spares: 4, replicas: 40, seed: 3}"});
  const test::BuiltScenario built(settings);
  const RunJob job{.checked = &built.checked,
                   .step_time = core::Duration::from_base(7.0),
                   .start = {},
                   .first_node = 0};
  const auto with = [&](int num_threads) {
    return simulate_run(std::span(&job, 1), built.built.fabric, built.checked.scenario.run,
                        {.num_threads = num_threads})
        .job();
  };
  const JobRun one = with(1);
  EXPECT_GT(one.local->num_restores, 0.0);
  EXPECT_NEAR(sum_of_causes(one) / one.training_time().base(), 1.0, 1e-12);
  EXPECT_NEAR(time_of(one, RunCause::kSteps), 3500.0, 1e-4);
  for (const int threads : {2, 8}) {
    const JobRun other = with(threads);
    EXPECT_EQ(one.time_s, other.time_s);
    EXPECT_EQ(one.bytes_written, other.bytes_written);
    EXPECT_EQ(one.local->bytes_written, other.local->bytes_written);
    EXPECT_EQ(one.local->bytes_read, other.local->bytes_read);
  }
}

}  // namespace
}  // namespace railwright::simulation
