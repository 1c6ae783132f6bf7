// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/step_ticks.hpp"

#include <gtest/gtest.h>

namespace railwright::simulation::replication {
namespace {

TEST(StepTicks, TimeBeyondSlowStepsIsAStall) {
  EXPECT_EQ(divide(100, 60.0, 1.5), (StepTicks{60, 30, 10}));
  EXPECT_EQ(divide(100, 60.0, 1.0), (StepTicks{60, 0, 40}));
}

TEST(StepTicks, BothEndsOfAFlowAreRounded) {
  EXPECT_EQ(divide(92, 60.0, 1.5), (StepTicks{62, 30, 0}));
  EXPECT_EQ(divide(93, 60.0, 1.5), (StepTicks{60, 30, 3}));
}

TEST(StepTicks, NeverCountMoreThanElapsed) {
  EXPECT_EQ(divide(50, 60.0, 1.5), (StepTicks{50, 0, 0}));
  EXPECT_EQ(divide(70, 60.0, 1.5), (StepTicks{60, 10, 0}));
  EXPECT_EQ(divide(0, 0.0, 2.0), (StepTicks{0, 0, 0}));
  for (std::int64_t elapsed = 0; elapsed < 300; ++elapsed) {
    const StepTicks ticks = divide(elapsed, 77.3, 1.37);
    EXPECT_EQ(sum(ticks), elapsed);
    for (const std::int64_t part : ticks) EXPECT_GE(part, 0);
  }
}

TEST(StepTicks, AddingMoves) {
  StepTicks ticks{1, 2, 3};
  StepTicks total{10, 20, 30};
  add(ticks, total);
  EXPECT_EQ(total, (StepTicks{11, 22, 33}));
  EXPECT_EQ(ticks, StepTicks{});
}

}  // namespace
}  // namespace railwright::simulation::replication
