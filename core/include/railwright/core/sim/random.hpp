// SPDX-License-Identifier: Apache-2.0
// Seeded random streams that give the same numbers on every platform.
#pragma once

#include <array>
#include <cstdint>

namespace railwright::core {

/// xoshiro256++ [@blackman2021scrambled], its state filled by splitmix64 from (seed, stream). Give
/// each purpose its own stream, so that one draw more here changes nothing there. Uses only IEEE
/// basic operations: neither std:: distributions nor the C library's log and exp.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0);

  /// All 64 bits.
  std::uint64_t bits();
  /// In [0, 1), a multiple of 2^-53.
  double uniform();
  /// In [0, n) for n >= 1, without bias.
  std::uint64_t below(std::uint64_t n);
  /// Exponential with the given mean.
  double exponential(double mean);
  /// Weibull: P(X > x) = exp(-(x / scale)^shape).
  double weibull(double shape, double scale);

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace railwright::core
