// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/run/run.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "railwright/topologies/topology.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::kLlama7bBytes;
using test::run_of;
using test::time_of;

constexpr double kTick = 1e-9;

TEST(Run, IsStepsAndTheCheckpointsBetweenThem) {
  const JobRun run = run_of({"checkpoint.interval_steps=120"}, 7.0).job();
  EXPECT_EQ(run.num_checkpoints, 4);
  EXPECT_GT(run.checkpoint.time.base(), 0.0);
  EXPECT_NEAR(run.training_time().base(), 500 * 7.0 + 4 * run.checkpoint.time.base(), 10 * kTick);
  EXPECT_EQ(run.bytes_written, 4.0 * kLlama7bBytes);
}

TEST(Run, WithoutIntervalWritesNothingButStillKnowsACheckpoint) {
  const JobRun run = run_of({}, 7.0).job();
  EXPECT_EQ(run.num_checkpoints, 0);
  EXPECT_DOUBLE_EQ(run.training_time().base(), 3500.0);
  EXPECT_EQ(static_cast<double>(run.checkpoint.bytes), kLlama7bBytes);
}

TEST(Run, AnIntervalBeyondTheEndWritesNothing) {
  const auto checkpoints = [](const std::string& setting) {
    return run_of({setting}, 7.0).job().num_checkpoints;
  };
  EXPECT_EQ(checkpoints("checkpoint.interval_steps=501"), 0);
  EXPECT_EQ(checkpoints("checkpoint.interval_steps=500"), 1);
  EXPECT_EQ(checkpoints("checkpoint.interval_steps=1"), 500);
  EXPECT_EQ(checkpoints("checkpoint={interval_steps: 300, at_end: true}"), 2);
  EXPECT_EQ(checkpoints("checkpoint={interval_steps: 250, at_end: true}"), 2);
}

TEST(Run, WithoutStorageHasNoCheckpoint) {
  auto checked = test::scenario({"checkpoint.interval_steps=100"});
  checked.scenario.cluster.storage.reset();
  const auto built = checked.topology->build(checked.scenario.cluster);
  const JobRun run = run_of(checked, built.fabric, 2.0).job();
  EXPECT_EQ(run.checkpoint.bytes, 0);
  EXPECT_DOUBLE_EQ(run.training_time().base(), 1000.0);
}

TEST(Run, ReadsTokensOncePerStageThatNeedsThem) {
  const double step_bytes = 144 * 4096 * 2.0;
  EXPECT_DOUBLE_EQ(run_of({}, 4.0).job().peak_read.base(), step_bytes / 4.0);
  // The first stage reads inputs, the last one labels.
  EXPECT_DOUBLE_EQ(run_of(test::llama_2_70b(), 4.0).job().peak_read.base(), 2 * step_bytes / 4.0);
}

/// A checkpoint every 700 s from start to start: 7 s a step.
TEST(Run, AnIntervalInTimeCountsFromStartToStartOfCheckpoints) {
  const JobRun run = run_of({"checkpoint.interval=700 s"}, 7.0).job();
  const double written = run.checkpoint.time.base();
  int steps = 0;
  int checkpoints = 0;
  double due = 700.0;
  for (double now = 0.0; steps < 500;) {
    ++steps;
    now += 7.0;
    if (now < due - 1e-6 || steps == 500) continue;
    due = now + 700.0;
    now += written;
    ++checkpoints;
  }
  EXPECT_EQ(run.num_checkpoints, checkpoints);
  EXPECT_NEAR(run.training_time().base(), 3500.0 + checkpoints * written, 1e-6);
}

TEST(Run, BehindTrainingACheckpointCostsItsCopyAlone) {
  const test::Settings settings = {"checkpoint={interval_steps: 100, mode: asynchronous}"};
  const test::BuiltScenario built(settings);
  const JobRun run = run_of(built.checked, built.built.fabric, 7.0).job();
  const auto pcie = built.checked.scenario.cluster.node.accelerator.pcie_bandwidth.value;
  const double copy = kLlama7bBytes / 2.0 / pcie.base() + test::kSnapshotOverhead;  // two files
  EXPECT_EQ(run.num_checkpoints, 5);
  EXPECT_NEAR(time_of(run, RunCause::kCheckpointStall), 5 * copy + run.checkpoint.time.base(), 1e-6)
      << "the last is behind the last step: the job ends when it is written";
  EXPECT_NEAR(time_of(run, RunCause::kSteps), 3500.0, 1e-6);
  EXPECT_EQ(run.bytes_written, 5.0 * kLlama7bBytes);
}

TEST(Run, ACheckpointWaitsForTheOneBeforeItToBeWritten) {
  const JobRun run =
      run_of({"checkpoint={interval_steps: 1, mode: asynchronous}", "workload.steps=20"}, 1.0)
          .job();
  EXPECT_EQ(run.num_checkpoints, 20);
  EXPECT_GT(run.checkpoint.time.base(), 10.0);
  const core::Duration apart = run.checkpoint.time + run.snapshot_time;
  EXPECT_NEAR(run.training_time() / (20 * apart), 1.0, 0.02);
}

TEST(Run, PhasesStandInTheClock) {
  const JobRun run = run_of({"run={start_up: 2 min, communicator_initialization: 30 s, "
                             "warm_up_steps: 10, warm_up_slowdown: 3, "
                             "evaluation_interval_steps: 100, evaluation_steps: 30}"},
                            6.0)
                         .job();
  EXPECT_NEAR(time_of(run, RunCause::kStartUp), 150.0, kTick);
  EXPECT_NEAR(time_of(run, RunCause::kSlowSteps), 10 * 12.0, 1e-6);
  EXPECT_NEAR(time_of(run, RunCause::kEvaluation), 5 * 30 * 2.0, 1e-6);
  EXPECT_NEAR(run.training_time().base(), 500 * 6.0 + 150 + 120 + 300, 1e-6);
}

TEST(Run, EachNodeReadsTheIndexBeforeTheFirstStep) {
  // Two nodes; three storage nodes give one stream each 10 GB/s.
  const JobRun run = run_of({"run.dataset_index=100 GB"}, 1.0).job();
  EXPECT_NEAR(time_of(run, RunCause::kStartUp), 10.0, 1e-6);
}

/// 500 steps of 1 s that each read 115 GB of images with storage that gives 30 GB/s.
class DataRun : public testing::Test {
 protected:
  static test::Settings images(const test::Settings& more) {
    return test::join({"workload={model: resnet-50, global_batch: 1600, micro_batch: 100, "
                       "steps: 100, bytes_per_image: 71875000}",
                       "parallelism={}",
                       "cluster.storage.node.read_rate={value: 10 GB/s, "
                       "source: test}"},
                      more);
  }
};

TEST_F(DataRun, WaitsForStorageThatIsTooSlow) {
  const JobRun run = run_of(images({}), 1.0).job();
  // 16 readers over three nodes: six meet in one.
  const double seconds = 115e9 * 6 / 16 / 10e9;
  EXPECT_NEAR(run.training_time().base(), 100 * seconds, 1e-3);
  EXPECT_NEAR(time_of(run, RunCause::kSteps), 100.0, 1e-6);
  EXPECT_NEAR(time_of(run, RunCause::kDataStall), 100 * (seconds - 1.0), 1e-3);
}

TEST_F(DataRun, FindsWhatItKeptOfTheLastEpochInMemory) {
  // Ten steps an epoch; a node keeps three quarters of the dataset.
  const JobRun run =
      run_of(images({"data={size: 1150 GB, page_cache: 862.5 GB, request: 1 MB}"}), 1.0).job();
  const double seconds = 115e9 * 6 / 16 / 10e9;
  EXPECT_NEAR(run.training_time().base(), 10 * seconds + 90 * std::max(1.0, seconds / 4), 1e-3);
}

TEST_F(DataRun, ReadersAreHeldBackByTheLatencyOfTheirRequests) {
  const JobRun run = run_of(images({"data={request: 1 MB, num_workers: 1}",
                                    "cluster.storage.node.latency={value: 1 ms, source: test}"}),
                            1.0)
                         .job();
  // Each of 16 readers reads 7.1875 GB a step: a millisecond a MB, and the MB at 10 GB/s.
  EXPECT_NEAR(run.training_time().base(), 100 * (115e9 / 16) * (1.0 / 1e9 + 1.0 / 10e9), 1e-3);
}

TEST_F(DataRun, WithoutReadingAheadAStepWaitsForItsOwnSamples) {
  const double seconds = 115e9 * 6 / 16 / 10e9;
  const JobRun run = run_of(images({"data.prefetch=0"}), 1.0).job();
  EXPECT_NEAR(run.training_time().base(), 100 * (1.0 + seconds), 1e-3);
}

/// 100 steps of 1 s with 100 images of 100 kB for each of 16 readers, which storage never holds up.
class LoaderRun : public testing::Test {
 protected:
  static JobRun run(const test::Settings& more) {
    const test::Settings images{
        "workload={model: resnet-50, global_batch: 1600, micro_batch: 100, "
        "steps: 100, bytes_per_image: 100000}",
        "parallelism={}", "cluster.storage.node.read_rate={value: 10 GB/s, source: test}",
        "cluster.storage.node.latency={value: 1 ms, source: test}"};
    return run_of(test::join(images, more), 1.0).job();
  }
  static double time(const test::Settings& more) { return run(more).training_time().base(); }
};

TEST_F(LoaderRun, WaitsForNothingThatIsReadAheadInTime) {
  EXPECT_NEAR(time({}), 100.0, kTick);
  EXPECT_NEAR(time({"data.decode=78 ms"}), 100.0, kTick);
}

TEST_F(LoaderRun, EightWorkersShareReadingAndDecoding) {
  // Three operations of 1 ms, 100 kB at 10 GB/s and 100 ms to decode each image.
  const double image = 3e-3 + 1e5 / 10e9 + 0.1;
  const JobRun slow = run({"data={decode: 100 ms, metadata_operations: 2}"});
  EXPECT_NEAR(slow.training_time().base(), 100 * 100 * image / 8, 1e-3);
  EXPECT_NEAR(time_of(slow, RunCause::kDataStall), 100 * (100 * image / 8 - 1.0), 1e-3);
  EXPECT_NEAR(time({"data={decode: 100 ms, metadata_operations: 2, prefetch: 0}"}),
              100 * (1.0 + 100 * image / 8), 1e-3);
}

TEST_F(LoaderRun, AHandOverIsPartOfEachStep) {
  EXPECT_NEAR(time({"data.hand_over=20 ms"}), 100 * 1.02, 1e-6);
  // With samples in memory too.
  EXPECT_NEAR(time({"data={hand_over: 20 ms, size: 16 GB, page_cache: 16 GB}"}), 100 * 1.02, 1e-6);
}

TEST_F(LoaderRun, JitterMakesStepsWaitForTheSlowestReader) {
  double harmonic = 0.0;
  for (int i = 1; i <= 16; ++i) harmonic += 1.0 / i;
  EXPECT_NEAR(time({"data={hand_over: 20 ms, jitter: 0.5}"}),
              100 * (1.0 + 0.02 * (1.0 + 0.5 * (harmonic - 1.0))), 0.02);
}

/// Nobody says what a step waits for: 0.75 ms, 100 images of 9.36 us and 10 MB at 104 GB/s
/// are 1.782 ms on average, 1.714 times that for the slowest of 16 readers with jitter 0.3.
TEST_F(LoaderRun, TakesTheReaderOfPublishedResultsWhereNobodyStatesOne) {
  const double waits = (0.75e-3 + 100 * 9.36e-6 + 10e6 / 104e9) * 1.714;
  const JobRun assumed = run({"run.step_time=1 s"});
  EXPECT_NEAR(assumed.training_time().base(), 100 * (1.0 + waits), 0.02);
  EXPECT_EQ(assumed.reader, "any-reader");
  EXPECT_TRUE(assumed.assumes_reader);
  EXPECT_NEAR(assumed.hand_over.base(), 1.782e-3, 1e-6);
  EXPECT_NEAR(time({"run.step_time=1 s", "data.reader=ideal"}), 100.0, kTick);
  EXPECT_NEAR(time({"run.step_time=1 s", "data.hand_over=0 s"}), 100.0, kTick);
  EXPECT_NEAR(time({}), 100.0, kTick) << "predicted steps were published with their wait";
  const JobRun text = run_of({"run.step_time=1 s"}, 1.0).job();
  EXPECT_TRUE(text.reader.empty());
}

TEST_F(LoaderRun, UtilizationBelowTheLimitFollowsWorkersQueueAndLatency) {
  // Workers are busy nine tenths of the time.
  const test::Settings base{"data={decode: 71 ms, jitter: 0.6}"};
  const double with_base = time(base);
  EXPECT_GT(with_base, 101.0);
  EXPECT_LT(time(test::join(base, {"data.num_workers=12"})), with_base);
  EXPECT_LT(time(test::join(base, {"data.prefetch=8"})), with_base);
  EXPECT_GT(time(test::join(base, {"data.metadata_operations=4"})), with_base);
  EXPECT_GT(time(test::join(base, {"cluster.storage.node.latency={value: 5 ms, source: test}"})),
            with_base);
  EXPECT_LT(time(test::join(base, {"data.jitter=0.2"})), with_base);
  EXPECT_EQ(time(base), with_base);
}

TEST_F(LoaderRun, EachEpochBeginsWithWorkersThatStart) {
  // Ten epochs of ten steps; the first batch takes one worker 100 images of 11.01 ms.
  const JobRun job = run({"data={size: 1.6 GB, decode: 10 ms, epoch_start_up: 3 s}"});
  const double start = 3.0 + 100 * (1e-3 + 1e5 / 10e9 + 0.01);
  EXPECT_NEAR(job.training_time().base(), 100.0 + 10 * start, 1e-3);
  EXPECT_NEAR(time_of(job, RunCause::kDataStall), 10 * start, 1e-3);
  // A shorter last epoch counts too.
  EXPECT_NEAR(time({"data={size: 4.8 GB, decode: 10 ms, epoch_start_up: 3 s}"}), 100.0 + 4 * start,
              1e-3);
}

TEST(StorageOfARun, SeesWhatTheJobWritesAndReads) {
  const RunResult result = run_of({"checkpoint={interval_steps: 100, retention: 2}"}, 7.0);
  double read = 0.0;
  double written = 0.0;
  for (const LoadBin& bin : result.storage.bins) {
    read += bin.read_bytes;
    written += bin.written_bytes;
  }
  EXPECT_NEAR(written / (5.0 * kLlama7bBytes), 1.0, 1e-9);
  EXPECT_NEAR(read / (500 * 144 * 4096 * 2.0), 1.0, 1e-6);
  EXPECT_DOUBLE_EQ(result.storage.max_used.base(), 3.0 * kLlama7bBytes);
  EXPECT_NEAR(result.storage.peak_write / result.job().checkpoint.peak_write, 1.0, 1e-6);
}

/// The run clock ends before 355 years do.
TEST(Run, OfCenturiesIsStepsAndCheckpoints) {
  const JobRun run =
      run_of({"workload.steps=1000000", "checkpoint.interval_steps=250000"}, 11'200.0).job();
  EXPECT_EQ(run.num_checkpoints, 4);
  EXPECT_NEAR(run.training_time().base(), 1.12e10 + 4 * run.checkpoint.time.base(), 1.0);
}

}  // namespace
}  // namespace railwright::simulation
