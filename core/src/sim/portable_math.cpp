// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/portable_math.hpp"

#include <cmath>
#include <limits>

namespace railwright::core {

namespace {

constexpr double kLn2 = 0.693147180559945309417;

}  // namespace

// x = m * 2^e with m in [sqrt(1/2), sqrt(2)), then the series of atanh.
double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --exponent;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double sum = 0.0;
  for (int k = 25; k >= 3; k -= 2) sum = (sum + 1.0 / k) * z;
  return 2.0 * s * (1.0 + sum) + exponent * kLn2;
}

// x = k ln 2 + r with |r| <= ln 2 / 2, then Taylor's series.
double portable_exp(double x) {
  if (x > 709.0) return std::ldexp(1.0, 1023) * 2.0;
  if (x < -745.0) return 0.0;
  const double k = std::floor(x / kLn2 + 0.5);
  const double r = x - k * kLn2;
  double sum = 1.0;
  for (int n = 16; n >= 1; --n) sum = 1.0 + sum * r / n;
  return std::ldexp(sum, static_cast<int>(k));
}

double portable_power(double x, double exponent) {
  if (exponent == 1.0) return x;
  if (x == 0.0) return exponent > 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
  return portable_exp(exponent * portable_log(x));
}

}  // namespace railwright::core
