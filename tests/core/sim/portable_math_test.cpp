// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/portable_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace railwright::core {
namespace {

// The C library is the independent computation; both round differently in the last places.
TEST(PortableMath, AgreesWithTheCLibrary) {
  for (int i = -40; i <= 40; ++i) {
    const double x = std::pow(2.03, i);
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-15 * (1.0 + std::abs(std::log(x)))) << x;
    for (const double exponent : {-2.5, -1.0, 0.3, 0.5, 1.0, 1.7, 3.0}) {
      EXPECT_NEAR(portable_power(x, exponent) / std::pow(x, exponent), 1.0, 1e-13)
          << x << '^' << exponent;
    }
  }
  for (int i = -50; i <= 50; ++i) {
    const double x = 13.7 * i;
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1.0, 1e-12) << x;
  }
}

TEST(PortableMath, EndsOfTheRange) {
  EXPECT_EQ(portable_log(1.0), 0.0);
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_exp(-800.0), 0.0);
  EXPECT_EQ(portable_exp(800.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(portable_power(0.0, 0.5), 0.0);
  EXPECT_EQ(portable_power(0.0, -0.5), std::numeric_limits<double>::infinity());
}

// Written down once: a compiler or library that changes a bit here changes every simulated failure.
TEST(PortableMath, SameBitsEverywhere) {
  EXPECT_EQ(portable_log(3.0), 0x1.193ea7aad030ap+0);
  EXPECT_EQ(portable_exp(1.0), 0x1.5bf0a8b14576ap+1);
  EXPECT_EQ(portable_power(2.0, 0.7), 0x1.9fdf8bcce533dp+0);
}

}  // namespace
}  // namespace railwright::core
