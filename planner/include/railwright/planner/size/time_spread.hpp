// SPDX-License-Identifier: Apache-2.0
// The probability that a job keeps its deadline.
#pragma once

#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Training time over the predicted mean, as a log-normal variable: the band of step times of the
/// installation, of which a tenth stays below its low and a tenth above its high end, and the
/// spread of the replicas, which failures make. The two are independent.
class TimeSpread {
 public:
  explicit TimeSpread(const simulation::SimulationResult& result);

  /// What the training time stays below at this confidence.
  [[nodiscard]] core::Duration below(double confidence) const;
  /// The probability that it keeps the deadline.
  [[nodiscard]] double probability_of(core::Duration deadline) const;

 private:
  core::Duration mean_;
  double shift_ = 0.0;  ///< of the logarithm
  double width_ = 0.0;  ///< its standard deviation
};

/// What step times stay below at this confidence, over the predicted one: `low` and `high` times
/// that are those of a tenth of sites each.
double site_factor(double low, double high, double confidence);

/// The inverse of the normal distribution, by bisection on std::erfc.
double normal_quantile(double probability);

}  // namespace railwright::planner
