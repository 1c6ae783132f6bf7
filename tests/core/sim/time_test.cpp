// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/time.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "railwright/core/error.hpp"

namespace railwright::core {
namespace {

Duration seconds(double s) { return Duration::from_base(s); }

TEST(Time, RoundsUpToTheNextTick) {
  EXPECT_EQ(ticks_at_or_after<StepTime>(seconds(0.0)).count, 0);
  EXPECT_EQ(ticks_at_or_after<StepTime>(seconds(1e-20)).count, 1);
  EXPECT_EQ(ticks_at_or_after<StepTime>(seconds(1.0)).count, 1'000'000'000'000);
  EXPECT_EQ(ticks_at_or_after<RunTime>(seconds(1.0000000001)).count, 1'000'000'001);
}

TEST(Time, ForgivesTheNoiseOfDoubles) {
  for (const double s : {0.02, 0.1, 0.3, 1.1, 123.456}) {
    EXPECT_EQ(ticks_at_or_after<StepTime>(seconds(s)).count, std::llround(s * 1e12)) << s;
  }
}

TEST(Time, ComesBackAsDuration) {
  EXPECT_DOUBLE_EQ(ticks_at_or_after<StepTime>(seconds(0.25)).duration().base(), 0.25);
  EXPECT_DOUBLE_EQ((RunTime{3'000'000'000} - RunTime{500'000'000}).duration().base(), 2.5);
}

TEST(Time, EndsWithAnError) {
  EXPECT_THROW(ticks_at_or_after<StepTime>(seconds(-1e-9)), SimulationError);
  EXPECT_THROW(ticks_at_or_after<StepTime>(seconds(std::nan(""))), SimulationError);
  EXPECT_THROW(ticks_at_or_after<StepTime>(Duration::infinity()), SimulationError);
  EXPECT_THROW(ticks_at_or_after<StepTime>(seconds(107.0 * 86400.0)), SimulationError);
  EXPECT_NO_THROW(ticks_at_or_after<StepTime>(seconds(106.0 * 86400.0)));
  EXPECT_NO_THROW(ticks_at_or_after<RunTime>(seconds(292.0 * 365.0 * 86400.0)));
  EXPECT_THROW(StepTime::never() + StepTime{1}, SimulationError);
}

}  // namespace
}  // namespace railwright::core
