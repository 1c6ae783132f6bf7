// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/time_spread.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace railwright::planner {

namespace {

double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// A tenth is below `low`, half below the prediction, a tenth above `high`, each side half a normal
/// distribution of logarithms. An interval that does not hold the prediction has its nearer end for
/// the half.
TwoSidedSpread site_spread(double low, double high) {
  const double half = std::clamp(1.0, low, high);
  const double tenth = normal_quantile(0.9);
  return {.shift = std::log(half),
          .below = std::log(half / low) / tenth,
          .above = std::log(high / half) / tenth};
}

double at(const TwoSidedSpread& spread, double confidence) {
  const double z = normal_quantile(confidence);
  return std::exp(spread.shift + (z < 0.0 ? spread.below : spread.above) * z);
}

}  // namespace

double site_factor(double low, double high, double confidence) {
  return at(site_spread(low, high), confidence);
}

double normal_quantile(double probability) {
  double low = -40.0;
  double high = 40.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (normal_probability(middle) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

TimeSpread::TimeSpread(const simulation::SimulationResult& result)
    : TimeSpread(result.run.job(), result.step_time_low / result.step_time,
                 result.step_time_high / result.step_time) {}

TimeSpread::TimeSpread(const simulation::JobRun& run, double low, double high)
    : mean_(run.training_time()) {
  spread_ = site_spread(low, high);
  const simulation::Spread& replicas = run.training_time_s;
  const double failure_width =
      std::log(replicas.high / replicas.low) / (2.0 * normal_quantile(0.95));
  spread_.below = std::hypot(spread_.below, failure_width);
  spread_.above = std::hypot(spread_.above, failure_width);
}

core::Duration TimeSpread::below(double confidence) const {
  return mean_ * at(spread_, confidence);
}

double TimeSpread::probability_of(core::Duration deadline) const {
  const double distance = std::log(deadline / mean_) - spread_.shift;
  const double width = distance < 0.0 ? spread_.below : spread_.above;
  if (width > 0.0) return normal_probability(distance / width);
  return distance >= 0.0 ? 1.0 : 0.0;
}

}  // namespace railwright::planner
