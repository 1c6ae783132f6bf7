// SPDX-License-Identifier: Apache-2.0
// The engine against two independent simulators on random traffic.
#include "../../support/textbook.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../support/random_traffic.hpp"
#include "../../support/tickless.hpp"

namespace railwright::test {
namespace {

constexpr std::uint64_t kCasesPerShape = 34;

class AgainstTextbook : public ::testing::TestWithParam<int> {
 protected:
  [[nodiscard]] static Shape shape() { return static_cast<Shape>(GetParam()); }
};

TEST_P(AgainstTextbook, EndsAtTheSameTicks) {
  for (std::uint64_t seed = 0; seed < kCasesPerShape; ++seed) {
    SCOPED_TRACE(seed);
    const Traffic traffic = random_traffic(shape(), seed);
    const std::vector<std::int64_t> expected = textbook_ends(traffic, core::RunTime::kPerSecond);
    EXPECT_EQ(engine_ends<core::RunTime>(traffic), expected);
  }
}

TEST_P(AgainstTextbook, TicksCostNoMoreThanTheyMust) {
  for (std::uint64_t seed = 0; seed < kCasesPerShape; ++seed) {
    SCOPED_TRACE(seed);
    const Traffic traffic = random_traffic(shape(), seed);
    const std::vector<TicklessEnd> expected = tickless_ends(traffic, core::RunTime::kPerSecond);
    const std::vector<std::int64_t> ends = engine_ends<core::RunTime>(traffic);
    for (std::size_t t = 0; t < ends.size(); ++t) {
      const long double late = static_cast<long double>(ends[t]) - expected[t].when;
      EXPECT_LE(std::abs(late), expected[t].slack + 1e-9L * expected[t].when) << "transfer " << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AgainstTextbook, ::testing::Range(0, kNumShapes));

}  // namespace
}  // namespace railwright::test
