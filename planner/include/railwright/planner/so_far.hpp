// SPDX-License-Identifier: Apache-2.0
// The best answer so far of long work, told by the function that receives its progress.
#pragma once

#include <cstdint>
#include <string_view>

#include "railwright/planner/progress.hpp"

namespace railwright::planner {

/// Pieces done of a call that tells the best answer so far, in words, in place of what is done.
inline constexpr std::int64_t kSoFar = -1;

inline void tell_so_far(const ProgressFunction& tell, std::string_view answer) {
  if (tell) tell(answer, kSoFar, 0);
}

}  // namespace railwright::planner
