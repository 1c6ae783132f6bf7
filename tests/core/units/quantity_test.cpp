// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/units/quantity.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "railwright/core/units/literals.hpp"

namespace railwright::core {
namespace {

using namespace literals;  // NOLINT(google-build-using-namespace): that is what literals are for

TEST(Quantity, QuotientsHaveTheRightDimension) {
  static_assert(std::is_same_v<decltype(80.0_GB / 400.0_Gbps), Duration>);
  static_assert(std::is_same_v<decltype(1.0_TFLOP / 1.0_TFLOPps), Duration>);
  static_assert(std::is_same_v<decltype(1.0_W * 1.0_s), Energy>);
  static_assert(std::is_same_v<decltype(80.0_GB / 40.0_GB), double>);
  static_assert(std::is_same_v<decltype(80.0_GBps * 40.0_s / 1.0_GB), double>);
}

TEST(Quantity, ArithmeticIsInBaseUnits) {
  EXPECT_DOUBLE_EQ((80.0_GB / 400.0_Gbps).base(), 1.6);
  EXPECT_DOUBLE_EQ((1.0_min + 30.0_s - 2.0_s).base(), 88.0);
  EXPECT_DOUBLE_EQ((-2.0 * 3.0_us / 4.0).base(), -1.5e-6);
  EXPECT_LT(1.0_MB, 1.0_GB);
  EXPECT_LT(1e30 * 1.0_s, Duration::infinity());
  EXPECT_EQ(Duration{}.base(), 0.0);
}

}  // namespace
}  // namespace railwright::core
