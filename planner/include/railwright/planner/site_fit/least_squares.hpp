// SPDX-License-Identifier: Apache-2.0
// Least squares of a few parameters within bounds.
#pragma once

#include <Eigen/Dense>
#include <functional>

namespace railwright::planner {

struct LeastSquares {
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> residuals;
  Eigen::VectorXd lower;
  Eigen::VectorXd upper;
};

struct Minimum {
  Eigen::VectorXd x;
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;

  [[nodiscard]] double cost() const { return residuals.squaredNorm(); }
};

/// Minimizes by Levenberg-Marquardt, with a QR decomposition of the free columns in each step.
/// Holds parameters at a bound that the step would cross. [@more1978levenberg] Eigen's own
/// LevenbergMarquardt has no bounds. A transform onto the open interval never reaches a bound, and
/// callers must know when it is reached.
Minimum minimize(const LeastSquares& problem, Eigen::VectorXd start);

/// Approximates the Jacobian by backward differences, at the lower bound by forward ones.
Eigen::MatrixXd jacobian_of(const LeastSquares& problem, const Eigen::VectorXd& x,
                            const Eigen::VectorXd& residuals);

}  // namespace railwright::planner
