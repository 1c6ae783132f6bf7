// SPDX-License-Identifier: Apache-2.0
// Expected numbers of tokens for each expert of a rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace railwright::models {

/// Tokens of a group of ranks, routed to experts that are spread evenly over them.
struct ExpertRouting {
  std::int64_t tokens = 0;  ///< tokens of all ranks of the group
  std::int64_t top_k = 1;
  std::int64_t num_experts = 1;
  std::int64_t expert_parallel = 1;  ///< ranks that share the experts
  /// 0: all loads are equal; 1.2: AIConfigurator's power law; more: more uneven.
  double skew = 0.0;
};

/// Loads of the busiest rank's experts, in classes of equal size.
struct ExpertLoads {
  static constexpr std::size_t kNumClasses = 16;

  std::array<double, kNumClasses> tokens{};  ///< expected tokens of an expert of the class
  double experts_of_class = 0.0;
  double pairs = 0.0;  ///< rows of all experts of the rank: (token, expert) pairs

  /// Chance that an expert of the class has a token.
  [[nodiscard]] double active(std::size_t k) const { return std::min(tokens[k], 1.0); }
  /// Tokens of an expert of the class that has any token.
  [[nodiscard]] double rows(std::size_t k) const { return std::max(tokens[k], 1.0); }
  /// Experts of the rank that have a token.
  [[nodiscard]] double num_active() const {
    double sum = 0.0;
    for (std::size_t k = 0; k < kNumClasses; ++k) sum += active(k);
    return sum * experts_of_class;
  }
};

/// Computes the expected loads of the busiest rank. A skew of 1.2 is what AIConfigurator measures
/// with: numbers drawn from x^-1.2 between 1 and 0.8 tokens (between 0.01 and 2 if pairs are fewer
/// than experts), scaled to the number of pairs [@aiconfigurator]. Of any skew the loads are
///
///     x^(skew / 1.2)
///
/// of the same numbers: all equal at 0, and the more uneven the larger the skew. No expert has more
/// than all tokens: pairs beyond are lost, as the constants of kernels were fitted so.
///
/// The busiest of n ranks of L experts holds f times the mean, f the expected maximum of n gamma
/// variables of the same mean and variance (Wilson and Hilferty's quantile at the expected maximum
/// of n normal variables). Its experts' loads are the quantiles of the law at u^(1/f^1.25).
ExpertLoads expert_loads(const ExpertRouting& routing);

}  // namespace railwright::models
