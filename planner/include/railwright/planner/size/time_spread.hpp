// SPDX-License-Identifier: Apache-2.0
// Distribution of the training time, and the probability that a job keeps its deadline.
#pragma once

#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Standard deviations of a logarithm, apart below and above the value that half are below.
struct TwoSidedSpread {
  double shift = 0.0;  ///< logarithm of that value over the prediction
  double below = 0.0;
  double above = 0.0;
};

/// Training time over the predicted mean, log-normal with a width of its own on each side: half of
/// all runs take longer than predicted. Combines two independent spreads: the installation's 80 %
/// interval of step times, and that of replications, which failures make.
class TimeSpread {
 public:
  explicit TimeSpread(const simulation::SimulationResult& result);
  /// Takes one of several jobs; `low` and `high` are the 80 % interval of its step, as factors.
  TimeSpread(const simulation::JobRun& run, double low, double high);

  /// Training time that is not exceeded at this confidence.
  [[nodiscard]] core::Duration below(double confidence) const;
  /// Probability that the training time keeps the deadline.
  [[nodiscard]] double probability_of(core::Duration deadline) const;

 private:
  core::Duration mean_;
  TwoSidedSpread spread_;
};

/// Returns the factor on the predicted step time that is not exceeded at this confidence. A tenth
/// of sites is below `low`, a tenth above `high`.
double site_factor(double low, double high, double confidence);

/// Inverts the normal distribution by bisection on std::erfc.
double normal_quantile(double probability);

}  // namespace railwright::planner
