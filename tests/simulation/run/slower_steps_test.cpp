// SPDX-License-Identifier: Apache-2.0
// Steps that take longer: a slow node, a degraded link, missing replicas, a checkpoint written
// behind them. All times by hand: 500 steps of 7 s.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>

#include "railwright/workloads/training/simulate.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::fleet;
using test::kSnapshotOverhead;
using test::run_of;
using test::time_of;

constexpr double kSteps = 3500.0;
constexpr double kRounding = 1e-6;

/// One of two nodes turns slow once in 2 ms and is found so late that it never matters.
TEST(SlowNode, SlowsTheJobUntilItIsFound) {
  const test::Settings plan = {
      fleet("[]", "slow_nodes: {mtbf: 4 ms, speed: 0.5, detection: 10 d}, "), "run.replicas=1"};
  const JobRun late = run_of(plan, 7.0).job();
  EXPECT_NEAR(late.training_time().base(), 2 * kSteps, 0.1);
  EXPECT_NEAR(time_of(late, RunCause::kSlowSteps), kSteps, 0.1);
  EXPECT_EQ(late.num_interruptions, 0);
}

TEST(DegradedLink, SlowsTheJobAsItsStepSays) {
  const test::BuiltScenario built(
      {fleet("[]", "degraded_links: {mtbf: 4 ms, rate: 0.5, detection: 10 d}, "),
       "run.replicas=1"});
  const auto time_with = [&](double speed) {
    const RunJob job{.checked = &built.checked,
                     .step_time = core::Duration::from_base(7.0),
                     .start = {},
                     .first_node = 0,
                     .degraded_link_speed = speed};
    return simulate_run(std::span(&job, 1), built.built.fabric, built.checked.scenario.run)
        .job()
        .training_time()
        .base();
  };
  EXPECT_NEAR(time_with(0.8), kSteps / 0.8, 0.1);
  EXPECT_NEAR(time_with(1.0), kSteps, 0.1);
}

TEST(DegradedLink, SlowsAStepThatWaitsForItsNic) {
  const auto speed = [](const std::string& rate, const test::Settings& more) {
    const test::BuiltScenario built(test::join(
        {fleet("[]", "degraded_links: {mtbf: 1 d, rate: " + rate + ", detection: 1 h}, ")}, more));
    const SimulationResult step = simulate_without_run(built.checked, built.built);
    return degraded_link_speed(built.checked, built.built.fabric, {}, step.step_time);
  };
  const test::Settings waits = test::overlaps(false);
  EXPECT_EQ(speed("1.0", waits), 1.0);
  const double half = speed("0.5", waits);
  const double tenth = speed("0.1", waits);
  EXPECT_LT(half, 1.0);
  EXPECT_LT(tenth, half);
  // What a step waits for all NICs grows as one of them: its exposed part over the rate.
  const double exposed = 1.0 / half - 1.0;
  EXPECT_NEAR(1.0 / tenth - 1.0, 9.0 * exposed, 0.15 * 9.0 * exposed);
}

/// While a checkpoint of `c` seconds is written, half of a step is done in the time of one.
TEST(WriteSlowdown, SlowsStepsBesideTheWriters) {
  const test::Settings plan = {"checkpoint={interval_steps: 100, mode: asynchronous}",
                               "software.checkpoint.write_slowdown={value: 2, source: test}"};
  const JobRun run = run_of(plan, 7.0).job();
  const double written = run.checkpoint.time.base();
  ASSERT_LT(written, 700.0);
  const double stops = 5 * run.snapshot_time.base();
  EXPECT_NEAR(time_of(run, RunCause::kSlowSteps), 4 * written / 2, 0.1);
  EXPECT_NEAR(run.training_time().base(), kSteps + stops + 4 * written / 2 + written, 0.1);
  const JobRun free = run_of({plan.front()}, 7.0).job();
  EXPECT_EQ(time_of(free, RunCause::kSlowSteps), 0.0);
}

TEST(WriteSlowdown, HoldsForTheWayFromTheNodesToStorage) {
  const test::Settings plan = {
      "checkpoint={interval_steps: 100, local: {tier: {name: test, description: test, medium: "
      "drives, capacity: 1 TB, read_rate: 4 GB/s, write_rate: 2 GB/s}}}",
      "software.checkpoint.write_slowdown={value: 1.5, source: test}"};
  const JobRun run = run_of(plan, 7.0).job();
  const double drained = run.checkpoint.time.base();
  ASSERT_LT(1.5 * drained, 700.0);
  EXPECT_NEAR(time_of(run, RunCause::kSlowSteps), 4 * drained * (1.0 - 1.0 / 1.5), 0.1);
}

class MissingReplicas : public testing::Test {
 protected:
  /// Eight replicas on two nodes, one of which fails after 50 steps.
  static JobRun run(const std::string& plan, const test::Settings& more = {}) {
    return run_of(test::join({fleet("[]"), "checkpoint.interval_steps=100",
                              "run={incidents: [{time: 350 s, component: node}], " + plan + "}"},
                             more),
                  7.0)
        .job();
  }
};

TEST_F(MissingReplicas, TrainOnWithoutThoseOfANodeUntilItIsBack) {
  const JobRun whole = run_of({"checkpoint.interval_steps=100"}, 7.0).job();
  const double written = whole.checkpoint.time.base();
  const double read = whole.restore.time.base();
  const JobRun out = run("min_replicas: 4");
  // Lost, found, restarted without a spare: 100 steps at half the speed. The node is back at
  // 1,410 s and joins behind their checkpoint.
  ASSERT_GT(350 + 60 + 120 + 1400, 1410);
  EXPECT_NEAR(time_of(out, RunCause::kLostWork), 350, kRounding);
  EXPECT_NEAR(time_of(out, RunCause::kRestart), 60 + 120 + 30 + 120, kRounding);
  EXPECT_NEAR(time_of(out, RunCause::kSlowSteps), 700, kRounding);
  EXPECT_NEAR(time_of(out, RunCause::kRestore), read, 1e-5);
  EXPECT_NEAR(out.training_time().base(), 350 + 180 + 1400 + 150 + read + 2800 + 5 * written, 1e-5);
  EXPECT_EQ(out.num_interruptions, 1) << "to take a node back interrupts nothing";
}

TEST_F(MissingReplicas, WaitWhereTooFewWouldBeLeft) {
  const double waits = run("min_replicas: 5").training_time().base();
  EXPECT_EQ(waits, run("num_spares: 0").training_time().base());
  EXPECT_NEAR(time_of(run("min_replicas: 5"), RunCause::kRestart), 60 + 1000 + 30 + 120, kRounding);
}

TEST_F(MissingReplicas, TakeASpareFirst) {
  EXPECT_EQ(run("min_replicas: 4, num_spares: 1").training_time().base(),
            run("num_spares: 1").training_time().base());
}

/// Steps since the copy in host memory are done again.
TEST_F(MissingReplicas, ReturnBehindAnAsynchronousCheckpointToo) {
  const JobRun out = run("min_replicas: 4", {"checkpoint.mode=asynchronous"});
  const double written = out.checkpoint.time.base();
  EXPECT_NEAR(time_of(out, RunCause::kLostWork), 350 + written, 0.1);
  EXPECT_NEAR(time_of(out, RunCause::kRestart), 60 + 120 + 30 + 120, kRounding);
  EXPECT_NEAR(time_of(out, RunCause::kCheckpointStall), 5 * out.snapshot_time.base() + written,
              0.1);
  EXPECT_GT(out.snapshot_time.base(), kSnapshotOverhead);
}

/// A pipeline of two stages over two nodes: each node has a part of all eight replicas.
TEST_F(MissingReplicas, AreAllThatHaveAPartOnTheNode) {
  const test::Settings stages = {"parallelism.pp=2", "parallelism.tp=1"};
  EXPECT_EQ(run("min_replicas: 1", stages).training_time().base(),
            run("num_spares: 0", stages).training_time().base());
}

class Lemons : public testing::Test {
 protected:
  static JobRun run(const std::string& lemons) {
    return run_of({fleet("[]", "lemon_nodes: {" + lemons + "}, "), "checkpoint.interval_steps=10",
                   "run={num_spares: 9, replicas: 200}"},
                  7.0)
        .job();
  }
};

TEST_F(Lemons, FailAtTheirRate) {
  const JobRun all = run("share: 1, mtbf: 2000 s");
  const double expected = all.training_time().base() / 1000.0;  // two nodes
  EXPECT_NEAR(all.num_interruptions, expected, 4 * std::sqrt(expected / 200));
  EXPECT_NEAR(all.mean_time_to_interruption.base(), 1000.0, 1e-9);
  EXPECT_EQ(all.failures[static_cast<std::size_t>(models::Component::kNode)],
            all.num_interruptions);
  const JobRun half = run("share: 0.5, mtbf: 2000 s");
  EXPECT_NEAR(half.mean_time_to_interruption.base(), 2000.0, 1e-9);
  EXPECT_GT(half.num_interruptions, 0.0);
  EXPECT_LT(half.num_interruptions, all.num_interruptions);
}

TEST_F(Lemons, FailNoMoreOnceTheyAreRemoved) {
  const JobRun removed = run("share: 1, mtbf: 100 s, removed_after: 3");
  EXPECT_NEAR(removed.num_interruptions, 6.0, 1e-9) << "two nodes, three times each";
  EXPECT_LT(removed.training_time(), run("share: 1, mtbf: 500 s").training_time());
}

TEST_F(Lemons, NoneIsAsWithoutThem) {
  const JobRun without = run_of({fleet("[]"), "checkpoint.interval_steps=10"}, 7.0).job();
  EXPECT_NEAR(run("share: 0, mtbf: 1 s").training_time().base(), without.training_time().base(),
              kRounding)
      << "a mean of equal runs";
}

}  // namespace
}  // namespace railwright::simulation
