// SPDX-License-Identifier: Apache-2.0
// What breaks in a run, and what it costs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "railwright/workloads/training/simulate.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::fleet;
using test::kLlama7bBytes;
using test::run_of;
using test::time_of;

test::Settings broken(const std::string& incidents, const test::Settings& more = {}) {
  return test::join({fleet("[]"), "run={num_spares: 1, incidents: " + incidents + "}"}, more);
}

double total(const JobRun& run) {
  return std::accumulate(run.time_s.begin(), run.time_s.end(), 0.0);
}

/// A rack of 18 trays of which two stand by: the third failure at a time waits for a repair, or
/// takes a tray of a rack that stands by.
TEST(Incident, OfATrayTakesATrayAndNotARack) {
  const std::string two = "{time: 1000 s, component: node}, {time: 1300 s, component: node}";
  const auto restart = [&](const std::string& incidents, int spares, int spare_trays) {
    const test::Settings settings = {
        fleet("[]"), "cluster.nodes=1", "workload.global_batch=128",
        "cluster.node={model: gb200-nvl72, num_accelerators: 64, "
        "num_trays: 16, spare_trays: " +
            std::to_string(spare_trays) +
            ", num_pcie_switches: 32, num_hosts: 32, nics: {count: 64}, front_end: {count: 32}}",
        "run={num_spares: " + std::to_string(spares) + ", incidents: [" + incidents + "]}"};
    return time_of(run_of(settings, 7.0).job(), RunCause::kRestart);
  };
  EXPECT_NEAR(restart(two, 0, 2), 2 * (60 + 30 + 120), 1e-9);
  EXPECT_NEAR(restart(two + ", {time: 1600 s, component: node}", 1, 2), 3 * (60 + 30 + 120), 1e-9);
  // The first tray is back 1,000 s after its failure was detected, at 2,060 s.
  EXPECT_NEAR(restart(two + ", {time: 1600 s, component: node}", 0, 2),
              2 * (60 + 30 + 120) + (2060 - 1600) + 30 + 120, 1e-6);
}

/// A rack takes two of four nodes at 1,000 s. With two spares the job is back 210 s later; with one
/// it waits until a node is repaired, 1,000 s behind the detection, and no longer.
TEST(Incident, OfARackTakesItsNodesTogether) {
  const auto restart = [](const std::string& component, int nodes, int spares) {
    const test::Settings settings = {fleet("[]"), "cluster.nodes=4",
                                     "run={num_spares: " + std::to_string(spares) +
                                         ", incidents: [{time: 1000 s, component: " + component +
                                         ", nodes: " + std::to_string(nodes) + "}]}"};
    return time_of(run_of(settings, 7.0).job(), RunCause::kRestart);
  };
  EXPECT_NEAR(restart("rack", 2, 2), 60 + 30 + 120, 1e-9);
  EXPECT_NEAR(restart("rack", 2, 1), 60 + 1000 + 30 + 120, 1e-9);
  EXPECT_NEAR(restart("pdu", 1, 1), 60 + 30 + 120, 1e-9);
  EXPECT_NEAR(restart("switch", 9, 4), 60 + 30 + 120, 1e-9);  // the job has four
}

/// Racks that fail once in 50,000 s by the mean take both nodes; each is back after 100 s, its own
/// time, where the fleet's is 1,000 s: without spares an interruption costs 60 + 100 + 30 + 120 s,
/// less where the next comes within it.
TEST(Failures, OfRacksHaveARepairOfTheirOwn) {
  const test::Settings settings = {
      fleet(
          "[{component: rack, nodes: 2, mtbf: {value: 50000 s, source: test}, repair: {value: 100 "
          "s, source: test}}]"),
      "run.replicas=400"};
  const JobRun run = run_of(settings, 7.0).job();
  const double racks = run.failures[static_cast<std::size_t>(models::Component::kRack)];
  ASSERT_GT(racks, 0.05);
  EXPECT_NEAR(run.mean_time_to_interruption.base(), 50000.0, 1e-9);
  EXPECT_NEAR(time_of(run, RunCause::kRestart) / racks, 60 + 100 + 30 + 120, 5.0);
}

TEST(Incident, WithoutCheckpointCostsAllThatWasDone) {
  const JobRun run = run_of(broken("[{time: 1000 s, component: accelerator}]"), 7.0).job();
  EXPECT_NEAR(time_of(run, RunCause::kLostWork), 1000.0, 1e-9);
  EXPECT_NEAR(time_of(run, RunCause::kRestart), 60 + 30 + 120, 1e-9);
  EXPECT_NEAR(run.training_time().base(), 3500 + 1000 + 210, 1e-8);
  EXPECT_EQ(run.num_interruptions, 1);
  EXPECT_EQ(run.failures[static_cast<std::size_t>(models::Component::kAccelerator)], 1);
}

TEST(Incident, BehindACheckpointCostsWhatCameAfterItAndTheRestore) {
  const test::Settings plan = {"checkpoint.interval_steps=100"};
  const JobRun whole = run_of(plan, 7.0).job();
  const double written = whole.checkpoint.time.base();
  // 50 s into the second hundred.
  const double when = 700 + written + 50;
  const JobRun run =
      run_of(broken("[{time: " + std::to_string(when) + " s, component: nic}]", plan), 7.0).job();
  EXPECT_NEAR(time_of(run, RunCause::kLostWork), 50.0, 1e-5);
  EXPECT_NEAR(time_of(run, RunCause::kRestart), 210.0, 1e-9);
  EXPECT_NEAR(time_of(run, RunCause::kRestore), run.restore.time.base(), 1e-6);
  // 16 ranks read a half of it each, as fast as one writes.
  EXPECT_NEAR(run.restore.time.base(), kLlama7bBytes / 2 / 1.2e9, 1e-6);
  EXPECT_NEAR(run.training_time().base(), 3500 + 5 * written + 50 + 210 + run.restore.time.base(),
              1e-5);
  EXPECT_EQ(run.num_checkpoints, 5);
}

TEST(Incident, WhileACheckpointIsWrittenItIsLostWithTheStepsBeforeIt) {
  const test::Settings plan = {"checkpoint.interval_steps=100"};
  const JobRun run = run_of(broken("[{time: 710 s, component: node}]", plan), 7.0).job();
  EXPECT_NEAR(time_of(run, RunCause::kLostWork), 700.0, 1e-9);
  EXPECT_NEAR(time_of(run, RunCause::kCheckpointStall), 10 + 5 * run.checkpoint.time.base(), 1e-6);
  EXPECT_EQ(time_of(run, RunCause::kRestore), 0.0);
  EXPECT_NEAR(run.bytes_written,
              5 * kLlama7bBytes + 10 / run.checkpoint.time.base() * kLlama7bBytes, 2.0);
}

TEST(Incident, OfSoftwareNeedsNoSpare) {
  const JobRun run = run_of(broken("[{time: 1000 s, component: software}]"), 7.0).job();
  EXPECT_NEAR(time_of(run, RunCause::kRestart), 60 + 120, 1e-9);
}

TEST(Incident, WithoutASpareTheJobWaitsForTheRepair) {
  // The one spare goes first; the second node is repaired 1000 s after it was found.
  const JobRun run =
      run_of(broken("[{time: 100 s, component: node}, {time: 500 s, component: node}]",
                    {"workload.steps=100"}),
             7.0)
          .job();
  // The first node comes back 1160 s from the start: sooner.
  EXPECT_NEAR(time_of(run, RunCause::kRestart), 210 + (60 + (1160 - 560) + 30 + 120), 1e-6);
}

TEST(Incident, WhileDownStartsTheRestartAgain) {
  const JobRun run =
      run_of(broken("[{time: 100 s, component: software}, {time: 200 s, component: software}]"),
             7.0)
          .job();
  EXPECT_NEAR(time_of(run, RunCause::kLostWork), 100.0, 1e-9);
  EXPECT_NEAR(time_of(run, RunCause::kRestart), 100 + 180, 1e-9);
}

/// Asynchronous: the copy in host memory is lost with the nodes.
TEST(Incident, WhileACopyIsWrittenBehindTrainingItIsLost) {
  const test::Settings plan = {"checkpoint={interval_steps: 100, mode: asynchronous}"};
  const JobRun whole = run_of(plan, 7.0).job();
  ASSERT_GT(whole.checkpoint.time.base(), 25.0);
  const JobRun run = run_of(broken("[{time: 720 s, component: node}]", plan), 7.0).job();
  const double copy = 720 - 700 - time_of(run, RunCause::kLostWork) + 700;
  EXPECT_GT(copy, 0.0) << "the copy itself counts as a stall";
  EXPECT_LT(copy, 2.0 + test::kSnapshotOverhead);
  EXPECT_EQ(time_of(run, RunCause::kRestore), 0.0);
}

TEST(StorageIncident, SlowsWhatIsUnderWayAsTheRoutesSay) {
  const test::Settings plan = {
      "checkpoint.interval_steps=100", "workload.steps=100", "parallelism.tp=8", "parallelism.pp=2",
      "cluster.storage.count=4",
      // What the lost node held is written again, too slowly to be noticed.
      "cluster.storage.node.rebuild_rate={value: 1 kB/s, source: test}",
      "software.checkpoint.serialization_rate={value: 1e6 GB/s, source: test}"};
  const JobRun whole = run_of(plan, 7.0).job();
  // 16 writers on four nodes: drives hold 2 GB/s each.
  EXPECT_NEAR(whole.checkpoint.time.base(), kLlama7bBytes / 8e9, 1e-3);
  const RunResult broken_run =
      run_of(broken("[{time: 705 s, component: storage_node}]", plan), 7.0);
  const double left = kLlama7bBytes - 5 * 8e9;
  EXPECT_NEAR(broken_run.job().training_time().base(), 700 + 5 + left / 6e9, 0.01);
  EXPECT_EQ(broken_run.job().num_interruptions, 0);
  EXPECT_EQ(broken_run.job().bytes_written, kLlama7bBytes);
}

TEST(StorageIncident, BeyondTheProtectionStopsTheTraffic) {
  const test::Settings plan = {"checkpoint.interval_steps=100", "workload.steps=100"};
  const JobRun whole = run_of(plan, 7.0).job();
  const JobRun run = run_of(broken("[{time: 300 s, component: storage_node}, "
                                   "{time: 400 s, component: storage_node}]",
                                   plan),
                            7.0)
                         .job();
  // Two of three are down until 1300 s; the read of samples stands still for 900 s.
  EXPECT_NEAR(time_of(run, RunCause::kDataStall), 900.0, 1.0);
  EXPECT_GT(run.training_time(), whole.training_time());
}

class Chance : public testing::Test {
 protected:
  static test::Settings settings(int seed) {
    return {fleet("[{component: accelerator, mtbf: 30000 s}, {component: software, mtbf: 20000 s},"
                  "{component: node, mtbf: 40000 s, shape: 2, age: 10000 s}]"),
            "checkpoint.interval_steps=20",
            "run={num_spares: 1, replicas: 40, seed: " + std::to_string(seed) + "}"};
  }
};

TEST_F(Chance, CausesAddUpToTheTime) {
  const JobRun run = run_of(settings(3), 7.0).job();
  EXPECT_GT(run.num_interruptions, 1.0);
  EXPECT_NEAR(total(run) / run.training_time().base(), 1.0, 1e-12);
  EXPECT_NEAR(time_of(run, RunCause::kSteps), 3500.0, 1e-4);
  EXPECT_LT(run.training_time_s.low, run.training_time_s.mean);
  EXPECT_GT(run.training_time_s.high, run.training_time_s.mean);
}

TEST_F(Chance, OneSeedGivesOneRun) {
  const test::BuiltScenario built(settings(3));
  const JobRun first = run_of(built.checked, built.built.fabric, 7.0).job();
  const JobRun again = run_of(built.checked, built.built.fabric, 7.0).job();
  EXPECT_EQ(first.time_s, again.time_s);
  EXPECT_EQ(first.bytes_written, again.bytes_written);
  const JobRun other = run_of(settings(4), 7.0).job();
  EXPECT_NE(first.time_s, other.time_s);
}

TEST_F(Chance, AJobThatIsInterruptedTooOftenGetsNowhere) {
  const JobRun run = run_of({fleet("[{component: software, mtbf: 200 s}]"),
                             "checkpoint.interval_steps=100", "run={replicas: 3}"},
                            7.0)
                         .job();
  // An interruption every 100 s of two nodes, 700 s and more between checkpoints.
  EXPECT_EQ(run.num_given_up, 3);
  EXPECT_GT(run.training_time().base(), 100 * 3500.0);
  EXPECT_LT(run.training_time().base(), 101 * 3500.0);
}

/// Nothing writes a checkpoint, so that each failure starts the job again from step 0.
TEST(CheckRun, NamesTheMissingStorageOfAJobThatNeverFinishes) {
  RunResult run;
  JobRun& job = run.jobs.emplace_back();
  job.num_given_up = 1;
  job.mean_time_to_interruption = core::Duration::from_base(3600.0);
  std::vector<Infeasibility> reasons;
  check_run(run, reasons);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(reasons[0].what.find("`cluster.storage` is missing"), std::string::npos);
  job.checkpoint.bytes = 1;
  reasons.clear();
  check_run(run, reasons);
  EXPECT_NE(reasons[0].what.find("of checkpoint to write"), std::string::npos);
}

/// Poisson: as many as rate and time say, within four standard errors.
TEST_F(Chance, InterruptionsComeAtTheirRate) {
  test::Settings constant = {fleet("[{component: accelerator, mtbf: 16000 s}]"),
                             "checkpoint.interval_steps=5", "run={replicas: 200, num_spares: 9}"};
  const JobRun run = run_of(constant, 7.0).job();
  // 16 accelerators: one failure in 1000 s.
  const double expected = run.training_time().base() / 1000.0;
  EXPECT_NEAR(run.num_interruptions, expected, 4 * std::sqrt(expected / 200));
  EXPECT_NEAR(run.mean_time_to_interruption.base(), 1000.0, 1e-9);
}

TEST(Failures, HowManyRunsAreSimulatedIsTold) {
  const test::BuiltScenario built({fleet("[{component: node, mtbf: 10 d}]"), "run={replicas: 20}"});
  const RunJob job{.checked = &built.checked,
                   .step_time = core::Duration::from_base(7.0),
                   .start = {},
                   .first_node = 0};
  std::vector<std::int64_t> told;
  const RunsDone tell = [&](std::int64_t done, std::int64_t all) {
    EXPECT_EQ(all, 20);
    told.push_back(done);
  };
  simulate_run(std::span(&job, 1), built.built.fabric, built.checked.scenario.run, {.tell = tell});
  std::vector<std::int64_t> each(21);
  std::iota(each.begin(), each.end(), 0);
  EXPECT_EQ(told, each);
}

}  // namespace
}  // namespace railwright::simulation
