// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace railwright::core {
namespace {

TEST(Arithmetic, CeilDivRoundsUp) {
  static_assert(ceil_div(8, 4) == 2 && ceil_div(9, 4) == 3 && ceil_div(0, 4) == 0);
  // The wider of both types holds the sum.
  EXPECT_EQ(ceil_div(std::int64_t{1} << 40, 3), 366'503'875'926);
}

TEST(Arithmetic, MedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({5.0, 1.0, 3.0}), 3.0);
  EXPECT_EQ(median({5.0, 1.0, 3.0, 4.0}), 3.5);
  EXPECT_EQ(median({7.0}), 7.0);
}

}  // namespace
}  // namespace railwright::core
