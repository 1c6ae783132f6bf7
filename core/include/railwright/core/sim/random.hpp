// SPDX-License-Identifier: Apache-2.0
// Seeded random streams that give the same numbers on every platform.
#pragma once

#include <array>
#include <cstdint>

namespace railwright::core {

/// xoshiro256++ [@blackman2021scrambled], its state filled by splitmix64 from (seed, stream). Give
/// each purpose its own stream, so that an extra draw in one leaves the others unchanged. Uses only
/// IEEE basic operations: neither std:: distributions nor the C library's log and exp.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0);

  /// Draws 64 random bits.
  std::uint64_t bits();
  /// Draws from [0, 1), a multiple of 2^-53.
  double uniform();
  /// Draws from [0, n) for n >= 1, without bias.
  std::uint64_t below(std::uint64_t n);
  /// Draws from an exponential distribution with the given mean.
  double exponential(double mean);
  /// Draws from a normal distribution of mean 0 and variance 1, by Marsaglia's polar method.
  double normal();
  /// Draws from a lognormal distribution whose standard deviation is `spread` of its mean; the mean
  /// itself if that is 0.
  double lognormal(double mean, double spread);
  /// Draws from a gamma distribution of mean 1. [@marsaglia2000gamma]
  double gamma(double shape);

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace railwright::core
