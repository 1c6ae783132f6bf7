// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/end_times.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace railwright::core {
namespace {

/// Beside a plain list, with as many flows as fill up to four levels, set one by one and many at
/// once.
TEST(EndTimes, AreThoseOfAPlainList) {
  std::mt19937 random(7);
  for (const int num_flows : {1, 3, 16, 17, 300, 5000}) {
    EndTimes ends;
    std::vector<std::int64_t> plain;
    std::uniform_int_distribution<std::int64_t> time(0, 40);
    EXPECT_EQ(ends.earliest(), EndTimes::kNever);
    for (int round = 0; round < 200; ++round) {
      const bool many = round % 5 == 0;
      const int last = std::min(num_flows, 1 + round * num_flows / 100);
      std::uniform_int_distribution<int> any(0, last - 1);
      for (int i = 0; i < (many ? last : 3); ++i) {
        const int flow = many ? i : any(random);
        const std::int64_t when = time(random) == 0 ? EndTimes::kNever : time(random);
        if (static_cast<std::size_t>(flow) >= plain.size()) {
          plain.resize(static_cast<std::size_t>(flow) + 1, EndTimes::kNever);
        }
        plain[static_cast<std::size_t>(flow)] = when;
        many ? ends.set_quietly(flow, when) : ends.set(flow, when);
      }
      if (many) ends.note_all();
      const std::int64_t earliest = *std::ranges::min_element(plain);
      ASSERT_EQ(ends.earliest(), earliest) << num_flows << " flows, round " << round;
      if (earliest == EndTimes::kNever || round % 3 != 0) continue;
      std::vector<std::int32_t> taken;
      ends.take(earliest, [&](std::int32_t flow) { taken.push_back(flow); });
      std::vector<std::int32_t> expected;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        if (plain[i] != earliest) continue;
        expected.push_back(static_cast<std::int32_t>(i));
        plain[i] = EndTimes::kNever;
      }
      ASSERT_EQ(taken, expected) << num_flows << " flows, round " << round;
    }
  }
}

}  // namespace
}  // namespace railwright::core
