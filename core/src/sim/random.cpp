// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/random.hpp"

#include <bit>

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

double RandomStream::weibull(double shape, double scale) {
  const double x = -portable_log(1.0 - uniform());
  return x == 0.0 ? 0.0 : scale * portable_exp(portable_log(x) / shape);
}

}  // namespace railwright::core
