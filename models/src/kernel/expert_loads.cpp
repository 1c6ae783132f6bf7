// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/expert_loads.hpp"

#include <cmath>

namespace railwright::models {

namespace {

/// Expected maximum of 1, 2, 4 ... 256 standard normal variables.
constexpr std::array<double, 9> kNormalMaxima{0.0,    0.5642, 1.0294, 1.4236, 1.7660,
                                              2.0697, 2.3437, 2.5950, 2.8277};

/// Logarithms of the middles of the classes, (k + 1/2) / 16.
const std::array<double, ExpertLoads::kNumClasses> kLogMiddles = [] {
  std::array<double, ExpertLoads::kNumClasses> logs{};
  for (std::size_t k = 0; k < logs.size(); ++k) {
    logs[k] = std::log((static_cast<double>(k) + 0.5) / static_cast<double>(logs.size()));
  }
  return logs;
}();

/// The power law that AIConfigurator measures with, `power_law_1.2`: a skew of it is that law.
constexpr double kExponent = 1.2;
/// Ratio of the largest to the smallest load while pairs are fewer than experts: 2 to 0.01.
constexpr double kSparseSpread = 200.0;
/// The largest load in units of the smallest, as a share of the tokens.
constexpr double kDenseSpread = 0.8;
/// Exponent fitted to draws of the loads on the busiest rank: a single expert of n has the law's
/// u^(1/n).
constexpr double kTiltExponent = 1.25;

/// Loads x^tilt of numbers x between 1 and `spread`, of density x^-kExponent.
class PowerLaw {
 public:
  PowerLaw(double tilt, double spread)
      : tilt_(tilt), log_spread_(std::log(spread)), tail_(std::expm1(kPower * log_spread_)) {}

  [[nodiscard]] double quantile(double u) const {
    return std::exp(tilt_ * std::log1p(tail_ * u) / kPower);
  }
  /// Returns the standard deviation over the mean.
  [[nodiscard]] double variation() const {
    const double whole = integral(0.0);
    const double mean = integral(1.0) / whole;
    const double variance = integral(2.0) / whole - mean * mean;
    return std::sqrt(std::max(variance, 0.0)) / mean;
  }

 private:
  static constexpr double kPower = 1.0 - kExponent;
  static constexpr double kFlat = 1e-9;

  /// Integrates x^(p * tilt - kExponent).
  [[nodiscard]] double integral(double p) const {
    const double power = p * tilt_ + kPower;
    if (std::abs(power) < kFlat) return log_spread_;
    return std::expm1(power * log_spread_) / power;
  }

  double tilt_;
  double log_spread_;
  double tail_;
};

double normal_maximum(double draws) {
  const double place =
      std::clamp(std::log2(draws), 0.0, static_cast<double>(kNormalMaxima.size() - 1));
  const auto below = std::min(static_cast<std::size_t>(place), kNormalMaxima.size() - 2);
  const double share = place - static_cast<double>(below);
  return kNormalMaxima[below] + share * (kNormalMaxima[below + 1] - kNormalMaxima[below]);
}

/// Returns the load of the busiest rank over the mean of all; the quantile falls again where loads
/// deviate by more than 1.5 maxima, and is held from there on, or from `measured` on.
double busiest_share(double deviation, double measured, double maximum, double ranks) {
  const double held = std::min(deviation, std::max(1.5 * maximum, measured));
  const double root = std::max(0.0, 1.0 - held * held / 9.0 + maximum * held / 3.0);
  return std::min(std::max(root * root * root, 1.0 + maximum * deviation), ranks);
}

/// The group's law with the loads of its busiest rank.
struct RankLaw {
  PowerLaw law;
  double busiest = 1.0;
};

/// Returns the law of a skew. That of the measured one is as it was fitted; less skew never loads
/// the busiest rank more.
RankLaw law_of(double skew, double spread, double experts_of_rank, double ranks) {
  const PowerLaw law(skew / kExponent, spread);
  if (ranks <= 1.0) return {law};
  const double maximum = normal_maximum(ranks);
  const double measured = PowerLaw(1.0, spread).variation() / std::sqrt(experts_of_rank);
  const auto share = [&](double deviation) {
    return busiest_share(deviation, measured, maximum, ranks);
  };
  const double busiest = share(law.variation() / std::sqrt(experts_of_rank));
  return {law, skew < kExponent ? std::min(busiest, share(measured)) : busiest};
}

using ClassLoads = std::array<double, ExpertLoads::kNumClasses>;

/// Returns the quantiles of the loads of the busiest rank, scaled to `pairs` of each class.
ClassLoads quantiles(const RankLaw& rank, double pairs) {
  ClassLoads loads{};
  const double tilt = std::pow(rank.busiest, -kTiltExponent);
  double sum = 0.0;
  for (std::size_t k = 0; k < loads.size(); ++k) {
    loads[k] = rank.law.quantile(std::exp(tilt * kLogMiddles[k]));
    sum += loads[k];
  }
  for (double& load : loads) load *= pairs / sum;
  return loads;
}

/// Returns the sum of loads of which none is above `most`.
double sum_below(const ClassLoads& loads, double most) {
  double sum = 0.0;
  for (const double load : loads) sum += std::min(load, most);
  return sum;
}

/// Scales the loads so that they sum up to `pairs` of each expert's class, no expert with more than
/// `most`; those of the classes rise.
void scale_to(double pairs, double most, ClassLoads& loads) {
  double sum = 0.0;
  for (const double load : loads) sum += load;
  for (std::size_t k = loads.size(); k-- > 0;) {
    if (loads[k] * pairs / sum <= most) {
      for (std::size_t i = 0; i <= k; ++i) loads[i] *= pairs / sum;
      return;
    }
    sum -= loads[k];
    loads[k] = most;
    pairs = std::max(pairs - most, 0.0);
  }
}

}  // namespace

ExpertLoads expert_loads(const ExpertRouting& routing) {
  const auto tokens = static_cast<double>(routing.tokens);
  const auto ranks = static_cast<double>(routing.expert_parallel);
  const double pairs = tokens * static_cast<double>(routing.top_k);
  const double experts_of_rank = static_cast<double>(routing.num_experts) / ranks;
  const double spread = pairs > static_cast<double>(routing.num_experts)
                            ? std::max(kDenseSpread * tokens, 1.0)
                            : kSparseSpread;
  const RankLaw rank = law_of(routing.skew, spread, experts_of_rank, ranks);
  // A token comes at most once to an expert; the busiest rank has at least one pair if there are
  // any.
  const double largest = std::min(static_cast<double>(routing.top_k), experts_of_rank) * tokens;

  ExpertLoads loads;
  loads.experts_of_class = experts_of_rank / static_cast<double>(ExpertLoads::kNumClasses);
  loads.pairs = std::min(largest, std::max(pairs / ranks * rank.busiest, 1.0));
  const double of_class = loads.pairs / loads.experts_of_class;
  loads.tokens = quantiles(rank, of_class);
  // Kernels were measured, and their constants fitted, without the pairs beyond all tokens of an
  // expert. More skew loses the share that the measured law would.
  double kept = sum_below(loads.tokens, tokens);
  if (routing.skew > kExponent && kept < of_class) {
    const RankLaw measured = law_of(kExponent, spread, experts_of_rank, ranks);
    kept = std::max(kept, sum_below(quantiles(measured, of_class), tokens));
  }
  scale_to(kept, tokens, loads.tokens);
  return loads;
}

}  // namespace railwright::models
