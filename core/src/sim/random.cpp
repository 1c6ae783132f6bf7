// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/random.hpp"

#include <bit>
#include <cmath>

namespace railwright::core {

namespace {

constexpr double kLn2 = 0.693147180559945309417;

std::uint64_t splitmix(std::uint64_t& x) {
  x += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = x;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

/// ln x for finite x > 0: x = m * 2^e with m in [sqrt(1/2), sqrt(2)), then the series of atanh.
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

/// exp x: x = k ln 2 + r with |r| <= ln 2 / 2, then Taylor's series.
double portable_exp(double x) {
  if (x > 709.0) return std::ldexp(1.0, 1023) * 2.0;
  if (x < -745.0) return 0.0;
  const double k = std::floor(x / kLn2 + 0.5);
  const double r = x - k * kLn2;
  double sum = 1.0;
  for (int n = 16; n >= 1; --n) sum = 1.0 + sum * r / n;
  return std::ldexp(sum, static_cast<int>(k));
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t x = seed;
  std::uint64_t y = splitmix(x) ^ stream;
  for (std::uint64_t& word : state_) word = splitmix(y);
}

std::uint64_t RandomStream::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

std::uint64_t RandomStream::below(std::uint64_t n) {
  // Draws below 2^64 mod n would make small results likelier.
  const std::uint64_t threshold = (0 - n) % n;
  for (;;) {
    const std::uint64_t draw = bits();
    if (draw >= threshold) return draw % n;
  }
}

double RandomStream::exponential(double mean) { return -mean * portable_log(1.0 - uniform()); }

double RandomStream::weibull(double shape, double scale) {
  const double x = -portable_log(1.0 - uniform());
  return x == 0.0 ? 0.0 : scale * portable_exp(portable_log(x) / shape);
}

}  // namespace railwright::core
