// SPDX-License-Identifier: Apache-2.0
// How many tokens come to each expert of a rank, in expectation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace railwright::models {

/// Tokens of a group of ranks, routed to experts that lie on them in equal numbers.
struct ExpertRouting {
  std::int64_t tokens = 0;  ///< of all ranks of the group
  std::int64_t top_k = 1;
  std::int64_t num_experts = 1;
  std::int64_t expert_parallel = 1;  ///< ranks that share the experts
  /// Exponent of the power law that loads are drawn from; 0: all loads are equal.
  double skew = 0.0;
};

/// Loads of the busiest rank's experts, in classes of equal size.
struct ExpertLoads {
  static constexpr std::size_t kNumClasses = 16;

  std::array<double, kNumClasses> tokens{};  ///< expected at an expert of the class
  double experts_of_class = 0.0;
  double pairs = 0.0;  ///< rows of all experts of the rank: pairs of token and expert

  /// Chance that an expert of the class has a token.
  [[nodiscard]] double active(std::size_t k) const { return std::min(tokens[k], 1.0); }
  /// Tokens of an expert of the class that has any.
  [[nodiscard]] double rows(std::size_t k) const { return std::max(tokens[k], 1.0); }
  /// Experts of the rank that have a token.
  [[nodiscard]] double num_active() const {
    double sum = 0.0;
    for (std::size_t k = 0; k < kNumClasses; ++k) sum += active(k);
    return sum * experts_of_class;
  }
};

/// Expected loads of the busiest rank. Skewed loads are those that AIConfigurator measures with:
/// drawn from x^-skew between 1 and 0.8 tokens, or 0.01 and 2 where pairs are fewer than experts,
/// and scaled to the number of pairs. [@aiconfigurator]
///
/// The busiest of n ranks of L experts holds f times the mean, f the expected maximum of n gamma
/// variables of the same mean and variance (Wilson and Hilferty's quantile at the expected maximum
/// of n normal variables). Its experts' loads are the quantiles of the law at u^(1/f^1.25).
ExpertLoads expert_loads(const ExpertRouting& routing);

}  // namespace railwright::models
