// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/step_periods.hpp"

#include <gtest/gtest.h>

namespace railwright::simulation::replication {
namespace {

TEST(StepPeriods, FullSpeedIsKnown) {
  const StepReads reads{.period = 7.0};
  StepPeriods periods(1);
  EXPECT_EQ(periods.of(reads, 2.0, 1.0), 7.0);
  EXPECT_EQ(periods.of(reads, 2.0, 3.0), 6.0);
}

TEST(StepPeriods, SlowStepsHideTheirLoaders) {
  // Two workers bring a batch every 2 s; a step takes 1 s, then 3 s.
  const StepReads reads{.loader = {.num_workers = 2, .batch_seconds = 4.0}};
  StepPeriods periods(1);
  EXPECT_EQ(periods.of(reads, 1.0, 1.0), 2.0);
  EXPECT_EQ(periods.of(reads, 1.0, 3.0), 3.0);
}

TEST(StepPeriods, JitterIsDrawnOnceForEachReadsAndTime) {
  const models::DataLoader loader{
      .num_readers = 4, .num_workers = 2, .batch_seconds = 1.9, .jitter = 0.5};
  const models::DataLoader more{
      .num_readers = 4, .num_workers = 8, .batch_seconds = 1.9, .jitter = 0.5};
  const StepReads first{.loader = loader};
  const StepReads second{.loader = more};
  StepPeriods periods(5);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(periods.of(first, 1.0, 1.25), models::step_period(loader, 1.25, 5));
    EXPECT_EQ(periods.of(first, 1.0, 2.5), models::step_period(loader, 2.5, 5));
    EXPECT_EQ(periods.of(second, 1.0, 1.25), models::step_period(more, 1.25, 5));
  }
  EXPECT_NE(periods.of(first, 1.0, 1.25), periods.of(second, 1.0, 1.25));
}

}  // namespace
}  // namespace railwright::simulation::replication
