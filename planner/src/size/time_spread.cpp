// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/time_spread.hpp"

#include <cmath>
#include <numbers>

namespace railwright::planner {

namespace {

double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

struct LogSpread {
  double shift = 0.0;
  double width = 0.0;
};

LogSpread site_spread(double low, double high) {
  return {.shift = 0.5 * (std::log(low) + std::log(high)),
          .width = std::log(high / low) / (2.0 * normal_quantile(0.9))};
}

}  // namespace

double site_factor(double low, double high, double confidence) {
  const LogSpread site = site_spread(low, high);
  return std::exp(site.shift + site.width * normal_quantile(confidence));
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
  const LogSpread site = site_spread(low, high);
  const simulation::Spread& replicas = run.training_time_s;
  const double failure_width =
      std::log(replicas.high / replicas.low) / (2.0 * normal_quantile(0.95));
  shift_ = site.shift;
  width_ = std::hypot(site.width, failure_width);
}

core::Duration TimeSpread::below(double confidence) const {
  return mean_ * std::exp(shift_ + width_ * normal_quantile(confidence));
}

double TimeSpread::probability_of(core::Duration deadline) const {
  const double distance = std::log(deadline / mean_) - shift_;
  if (width_ > 0.0) return normal_probability(distance / width_);
  return distance >= 0.0 ? 1.0 : 0.0;
}

}  // namespace railwright::planner
