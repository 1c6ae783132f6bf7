// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/step_block.hpp"

#include <gtest/gtest.h>

#include "whole_seconds.hpp"

namespace railwright::simulation::replication {
namespace {

JobModel hundred_steps() {
  JobModel job;
  job.num_steps = 100;
  job.step_seconds = 2.0;
  job.writes_checkpoints = true;
  return job;
}

TEST(StepBlock, RunsToTheEndWhereNothingIsBetween) {
  const StepBlock block = next_block(hundred_steps(), {.step = 30});
  EXPECT_EQ(block.num_steps, 70);
  EXPECT_EQ(block.checkpoint_step, -1);
  EXPECT_EQ(block.evaluation_step, -1);
  EXPECT_EQ(block.slowdown, 1.0);
}

TEST(StepBlock, StopsAtTheNearestOfCheckpointAndEvaluation) {
  JobModel job = hundred_steps();
  job.checkpoint.interval_steps = 30;
  job.plan.evaluation_interval_steps = 25;
  const StepBlock first = next_block(job, {.step = 0});
  EXPECT_EQ(first.num_steps, 25);
  EXPECT_EQ(first.checkpoint_step, 30);
  EXPECT_EQ(first.evaluation_step, 25);
  EXPECT_EQ(next_block(job, {.step = 25}).num_steps, 5);
  EXPECT_EQ(next_block(job, {.step = 30}).checkpoint_step, 60);
  EXPECT_EQ(next_block(job, {.step = 90}).num_steps, 10);
  job.writes_checkpoints = false;
  EXPECT_EQ(next_block(job, {.step = 25}).num_steps, 25);
}

TEST(StepBlock, WarmsUpAfterEachStart) {
  JobModel job = hundred_steps();
  job.plan.warm_up_steps = 10;
  job.plan.warm_up_slowdown = 3.0;
  const StepBlock warm_up = next_block(job, {.step = 40, .steps_since_start = 4, .speed = 0.5});
  EXPECT_EQ(warm_up.num_steps, 6);
  EXPECT_EQ(warm_up.slowdown, 3.0 / 0.5);
  const StepBlock after = next_block(job, {.step = 46, .steps_since_start = 10, .speed = 0.5});
  EXPECT_EQ(after.num_steps, 54);
  EXPECT_EQ(after.slowdown, 1.0 / 0.5);
}

TEST(StepBlock, EpochsAfterTheFirstAreAlikeUnlessWorkersStartAnew) {
  JobModel job = hundred_steps();
  job.steps_per_epoch = 40;
  EXPECT_EQ(next_block(job, {.step = 5}).num_steps, 35);
  EXPECT_EQ(next_block(job, {.step = 40}).num_steps, 60);
  job.epoch_start_up = core::Duration::from_base(1.0);
  EXPECT_EQ(next_block(job, {.step = 5}).num_steps, 35);
  EXPECT_EQ(next_block(job, {.step = 40}).num_steps, 40);
  EXPECT_EQ(next_block(job, {.step = 80}).num_steps, 20);
}

TEST(StepBlock, CheckpointsByTheClockComeAtTheNextStep) {
  JobModel job = hundred_steps();
  job.checkpoint.interval = core::Duration::from_base(15.0);
  // 15 s are 7.5 steps of 2 s, or 3.75 at half the speed.
  const BlockStart start{.last_checkpoint = at(100), .now = at(100)};
  EXPECT_EQ(next_block(job, start).checkpoint_step, 8);
  BlockStart slow = start;
  slow.speed = 0.5;
  EXPECT_EQ(next_block(job, slow).checkpoint_step, 4);
  BlockStart later = start;
  later.now = at(109);
  later.step = 50;
  EXPECT_EQ(next_block(job, later).checkpoint_step, 53);
  BlockStart overdue = start;
  overdue.now = at(200);
  EXPECT_EQ(next_block(job, overdue).num_steps, 1);
  job.checkpoint.interval = core::Duration::from_base(14.0);
  EXPECT_EQ(next_block(job, start).checkpoint_step, 7);
}

TEST(StepBlock, NoCheckpointByTheClockBehindTheLastStep) {
  JobModel job = hundred_steps();
  job.checkpoint.interval = core::Duration::from_base(15.0);
  EXPECT_EQ(next_block(job, {.step = 91}).checkpoint_step, 99);
  EXPECT_EQ(next_block(job, {.step = 92}).checkpoint_step, -1);
  EXPECT_EQ(next_block(job, {.step = 92}).num_steps, 8);
}

TEST(StepBlock, BlocksCoverAllSteps) {
  JobModel job = hundred_steps();
  job.num_steps = 1000;
  job.checkpoint.interval_steps = 37;
  job.plan.evaluation_interval_steps = 53;
  job.plan.warm_up_steps = 11;
  job.steps_per_epoch = 210;
  job.epoch_start_up = core::Duration{};
  std::int64_t step = 0;
  int num_stops = 0;
  while (step < job.num_steps) {
    const StepBlock block = next_block(job, {.step = step, .steps_since_start = step});
    ASSERT_GE(block.num_steps, 1);
    for (std::int64_t inner = step + 1; inner < step + block.num_steps; ++inner) {
      EXPECT_TRUE(inner % 37 != 0 && inner % 53 != 0 && inner % 210 != 0 && inner != 11) << inner;
    }
    step += block.num_steps;
    ++num_stops;
  }
  EXPECT_EQ(step, 1000);
  // 27 checkpoints, 18 evaluations, 4 epochs, the warm-up and the end; no two at one step.
  EXPECT_EQ(num_stops, 27 + 18 + 4 + 1 + 1);
}

}  // namespace
}  // namespace railwright::simulation::replication
