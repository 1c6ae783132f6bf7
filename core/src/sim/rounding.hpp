// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

namespace railwright::core {

/// The least whole number not below `x`, forgiving the noise a few operations on doubles leave:
/// 20000000000.000004 is 2e10. Without this, equal transfers would end a tick apart.
inline double ceil_forgiving(double x) {
  constexpr double kNoise = 8.0 * std::numeric_limits<double>::epsilon();
  return std::ceil(x - x * kNoise);
}

/// 2^63: the first double a 64-bit clock cannot hold.
inline constexpr double kClockEnd = 9223372036854775808.0;

}  // namespace railwright::core
