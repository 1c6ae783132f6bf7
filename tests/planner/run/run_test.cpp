// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/run/run.hpp"

#include <gtest/gtest.h>

#include "../../support/scenario.hpp"

namespace railwright::planner {
namespace {

RunResult run(const test::Settings& settings, double step_time) {
  const test::BuiltScenario built(settings);
  return simulate_run(built.checked, built.built.fabric, core::Duration::from_base(step_time));
}

TEST(Run, IsStepsAndTheCheckpointsBetweenThem) {
  const RunResult result = run({"checkpoint.interval_steps=120"}, 7.0);
  EXPECT_EQ(result.num_checkpoints, 4);
  EXPECT_GT(result.checkpoint.time.base(), 0.0);
  EXPECT_DOUBLE_EQ(result.training_time.base(), 500 * 7.0 + 4 * result.checkpoint.time.base());
}

TEST(Run, WithoutIntervalWritesNothingButStillKnowsACheckpoint) {
  const RunResult result = run({}, 7.0);
  EXPECT_EQ(result.num_checkpoints, 0);
  EXPECT_DOUBLE_EQ(result.training_time.base(), 3500.0);
  EXPECT_EQ(result.checkpoint.bytes, 14 * 6'738'415'616);
}

TEST(Run, AnIntervalBeyondTheEndWritesNothing) {
  EXPECT_EQ(run({"checkpoint.interval_steps=501"}, 7.0).num_checkpoints, 0);
  EXPECT_EQ(run({"checkpoint.interval_steps=500"}, 7.0).num_checkpoints, 1);
  EXPECT_EQ(run({"checkpoint.interval_steps=1"}, 7.0).num_checkpoints, 500);
}

TEST(Run, WithoutStorageHasNoCheckpoint) {
  auto checked = test::scenario({"checkpoint.interval_steps=100"});
  checked.scenario.cluster.storage.reset();
  const auto built = checked.topology->build(checked.scenario.cluster);
  const RunResult result = simulate_run(checked, built.fabric, core::Duration::from_base(2.0));
  EXPECT_EQ(result.checkpoint.bytes, 0);
  EXPECT_DOUBLE_EQ(result.training_time.base(), 1000.0);
}

TEST(Run, ReadsTokensOncePerStageThatNeedsThem) {
  const double step_bytes = 144 * 4096 * 2.0;
  EXPECT_DOUBLE_EQ(run({}, 4.0).peak_read.base(), step_bytes / 4.0);
  // The first stage reads inputs, the last one labels.
  EXPECT_DOUBLE_EQ(run(test::llama_2_70b(), 4.0).peak_read.base(), 2 * step_bytes / 4.0);
}

}  // namespace
}  // namespace railwright::planner
