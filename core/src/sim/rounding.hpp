// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace railwright::core {

/// std::ceil, but without a call if the result fits an integer.
inline double whole_at_or_above(double x) {
  constexpr double kLargest = 4503599627370496.0;  // 2^52: doubles from there on are whole
  if (!(x > -1.0 && x < kLargest)) return std::ceil(x);
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole < x ? whole + 1.0 : whole;
}

/// Returns the smallest whole number not below `x`, ignoring the rounding error of a few operations
/// on doubles: 20000000000.000004 gives 2e10. Without this, equal transfers would end a tick apart.
inline double ceil_forgiving(double x) {
  constexpr double kNoise = 8.0 * std::numeric_limits<double>::epsilon();
  return whole_at_or_above(x - x * kNoise);
}

/// 2^63: the first double a 64-bit clock cannot hold.
inline constexpr double kClockEnd = 9223372036854775808.0;

}  // namespace railwright::core
