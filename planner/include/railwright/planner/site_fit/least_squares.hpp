// SPDX-License-Identifier: Apache-2.0
// Least squares of few parameters within bounds.
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

/// Levenberg-Marquardt with the parameters at a bound that the step would cross held there; each
/// step a QR decomposition of the free columns. [@more1978levenberg] Eigen's own
/// LevenbergMarquardt knows no bounds, and a transform onto the open interval never arrives at one,
/// which is what has to be told here.
Minimum minimize(const LeastSquares& problem, Eigen::VectorXd start);

/// Backward differences, forward ones at the lower bound.
Eigen::MatrixXd jacobian_of(const LeastSquares& problem, const Eigen::VectorXd& x,
                            const Eigen::VectorXd& residuals);

}  // namespace railwright::planner
