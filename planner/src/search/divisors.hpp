// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace railwright::planner {

/// Returns all divisors, the least first.
inline std::vector<int> divisors(std::int64_t number) {
  std::vector<int> found;
  for (std::int64_t d = 1; d * d <= number; ++d) {
    if (number % d != 0) continue;
    found.push_back(static_cast<int>(d));
    if (d * d != number) found.push_back(static_cast<int>(number / d));
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace railwright::planner
