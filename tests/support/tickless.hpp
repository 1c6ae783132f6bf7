// SPDX-License-Identifier: Apache-2.0
// Flows under max-min fairness in long double and continuous time: what the clock's ticks cost.
#pragma once

#include <vector>

#include "traffic.hpp"

namespace railwright::test {

struct TicklessEnd {
  long double when = 0.0L;  ///< in ticks
  /// How far a clock may be off that rounds each end up to a tick: see tickless.cpp.
  long double slack = 0.0L;
};

/// When each transfer ends.
std::vector<TicklessEnd> tickless_ends(const Traffic& traffic, std::int64_t ticks_per_second);

}  // namespace railwright::test
