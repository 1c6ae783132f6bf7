// SPDX-License-Identifier: Apache-2.0
// The smallest number for which something holds.
#include <gtest/gtest.h>

#include "railwright/simulation/run/storage_needs.hpp"

namespace railwright::simulation {
namespace {

TEST(Smallest, IsTheSameFromAnyStart) {
  for (int answer = 3; answer <= 41; ++answer) {  // 41: none up to 40
    int calls = 0;
    const auto holds = [&](int n) {
      EXPECT_TRUE(n >= 3 && n <= 40) << n;
      ++calls;
      return n >= answer;
    };
    const int expected = answer <= 40 ? answer : 0;
    EXPECT_EQ(smallest(3, 40, holds), expected);
    for (int near = 0; near <= 50; ++near) {
      EXPECT_EQ(smallest(3, 40, holds, near), expected) << answer << " from " << near;
    }
    calls = 0;
    smallest(3, 40, holds, answer);
    if (answer <= 40) {
      EXPECT_LE(calls, 3);
    }
  }
}

}  // namespace
}  // namespace railwright::simulation
