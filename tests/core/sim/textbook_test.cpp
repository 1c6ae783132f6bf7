// SPDX-License-Identifier: Apache-2.0
// The engine against two independent simulators on random traffic.
#include "../../support/textbook.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "../../support/random_traffic.hpp"
#include "../../support/tickless.hpp"

namespace railwright::test {
namespace {

// In all a little more than 1,000 cases, in turns on the clock of a step and on that of a run.
constexpr std::uint64_t kCasesPerShape = 167;

struct Case {
  Traffic traffic;
  std::int64_t ticks_per_second = 0;
  std::vector<std::int64_t> ends;  // by the engine
};

Case make_case(Shape shape, std::uint64_t seed) {
  Case random;
  if (seed % 2 == 0) {
    random.ticks_per_second = core::StepTime::kPerSecond;
    random.traffic = random_traffic(shape, seed, random.ticks_per_second);
    random.ends = engine_ends<core::StepTime>(random.traffic);
  } else {
    random.ticks_per_second = core::RunTime::kPerSecond;
    random.traffic = random_traffic(shape, seed, random.ticks_per_second);
    random.ends = engine_ends<core::RunTime>(random.traffic);
  }
  return random;
}

class AgainstTextbook : public ::testing::TestWithParam<int> {
 protected:
  [[nodiscard]] static Shape shape() { return static_cast<Shape>(GetParam()); }
};

TEST_P(AgainstTextbook, EndsAtTheSameTicks) {
  for (std::uint64_t seed = 0; seed < kCasesPerShape; ++seed) {
    SCOPED_TRACE(seed);
    const Case random = make_case(shape(), seed);
    EXPECT_EQ(random.ends, textbook_ends(random.traffic, random.ticks_per_second));
  }
}

TEST_P(AgainstTextbook, TicksCostNoMoreThanTheyMust) {
  for (std::uint64_t seed = 0; seed < kCasesPerShape; ++seed) {
    SCOPED_TRACE(seed);
    const Case random = make_case(shape(), seed);
    const std::vector<TicklessEnd> expected =
        tickless_ends(random.traffic, random.ticks_per_second);
    for (std::size_t t = 0; t < expected.size(); ++t) {
      const long double late = static_cast<long double>(random.ends[t]) - expected[t].when;
      EXPECT_LE(std::abs(late), expected[t].slack + 1e-9L * expected[t].when) << "transfer " << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AgainstTextbook, ::testing::Range(0, kNumShapes));

}  // namespace
}  // namespace railwright::test
