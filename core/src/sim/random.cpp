// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/random.hpp"

#include <bit>
#include <cmath>

#include "railwright/core/sim/portable_math.hpp"

namespace railwright::core {

namespace {

std::uint64_t splitmix(std::uint64_t& x) {
  x += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = x;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
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

double RandomStream::normal() {
  while (true) {
    const double x = 2.0 * uniform() - 1.0;
    const double y = 2.0 * uniform() - 1.0;
    const double square = x * x + y * y;
    // One of the method's two numbers is enough.
    if (square < 1.0 && square > 0.0) {
      return x * std::sqrt(-2.0 * portable_log(square) / square);
    }
  }
}

double RandomStream::lognormal(double mean, double spread) {
  if (spread == 0.0) return mean;
  const double variance = portable_log(1.0 + spread * spread);
  return mean * portable_exp(std::sqrt(variance) * normal() - 0.5 * variance);
}

double RandomStream::gamma(double shape) {
  // A shape below 1 is one more, times a power of a uniform number.
  const double raised = shape < 1.0 ? shape + 1.0 : shape;
  const double d = raised - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = normal();
    const double root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    const double u = 1.0 - uniform();  // above 0
    if (portable_log(u) >= 0.5 * x * x + d - d * v + d * portable_log(v)) continue;
    const double power = shape < 1.0 ? portable_power(1.0 - uniform(), 1.0 / shape) : 1.0;
    return d * v * power / shape;
  }
}

}  // namespace railwright::core
