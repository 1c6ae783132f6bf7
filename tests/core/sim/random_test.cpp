// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace railwright::core {
namespace {

TEST(RandomStream, SameSeedSameNumbers) {
  RandomStream a(7, 3);
  RandomStream b(7, 3);
  RandomStream other_stream(7, 4);
  RandomStream other_seed(8, 3);
  int equal_to_others = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t x = a.bits();
    EXPECT_EQ(x, b.bits());
    equal_to_others += x == other_stream.bits() ? 1 : 0;
    equal_to_others += x == other_seed.bits() ? 1 : 0;
  }
  EXPECT_EQ(equal_to_others, 0);
}

TEST(RandomStream, UniformHasTheRightMoments) {
  RandomStream random(1);
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.003);
  EXPECT_NEAR(squares / kDraws, 1.0 / 3.0, 0.003);
}

TEST(RandomStream, BelowCoversItsRangeEvenly) {
  RandomStream random(2);
  std::vector<int> count(7);
  for (int i = 0; i < 70'000; ++i) ++count[random.below(7)];
  for (const int c : count) EXPECT_NEAR(c, 10'000, 400);
  EXPECT_EQ(random.below(1), 0U);
}

TEST(RandomStream, ExponentialAgreesWithItsInverse) {
  RandomStream uniform(9, 5);
  RandomStream exponential(9, 5);
  for (int i = 0; i < 1000; ++i) {
    const double x = -std::log1p(-uniform.uniform());
    EXPECT_NEAR(exponential.exponential(3.0), 3.0 * x, 1e-13 * (1.0 + x));
  }
}

}  // namespace
}  // namespace railwright::core
