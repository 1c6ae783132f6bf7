// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/site_fit/least_squares.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace railwright::planner {

namespace {

using Eigen::Index;

constexpr int kMaxIterations = 60;
constexpr double kDifference = 1e-4;
constexpr double kSmallestMove = 1e-6;  ///< largest change of a parameter
constexpr double kMaxDamping = 1e10;    ///< above it no step helps
constexpr double kLongestStep = 1.0;

/// Lists the parameters that a step against the gradient can move.
std::vector<Index> free_of(const LeastSquares& problem, const Minimum& at) {
  const Eigen::VectorXd gradient = at.jacobian.transpose() * at.residuals;
  std::vector<Index> free;
  for (Index i = 0; i < at.x.size(); ++i) {
    const bool is_stuck = (at.x[i] >= problem.upper[i] && gradient[i] < 0.0) ||
                          (at.x[i] <= problem.lower[i] && gradient[i] > 0.0);
    if (!is_stuck && at.jacobian.col(i).squaredNorm() > 0.0) free.push_back(i);
  }
  return free;
}

Eigen::VectorXd step_of(const Minimum& at, const std::vector<Index>& free, double damping) {
  const Index num_rows = at.residuals.size();
  const auto num_free = static_cast<Index>(free.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(num_rows + num_free, num_free);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(num_rows + num_free);
  right.head(num_rows) = -at.residuals;
  for (Index i = 0; i < num_free; ++i) {
    const auto column = at.jacobian.col(free[static_cast<std::size_t>(i)]);
    matrix.col(i).head(num_rows) = column;
    matrix(num_rows + i, i) = std::sqrt(damping) * column.norm();
  }
  const Eigen::VectorXd of_free = matrix.colPivHouseholderQr().solve(right);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(at.x.size());
  for (Index i = 0; i < num_free; ++i) step[free[static_cast<std::size_t>(i)]] = of_free[i];
  const double longest = step.lpNorm<Eigen::Infinity>();
  return longest > kLongestStep ? Eigen::VectorXd(step * (kLongestStep / longest)) : step;
}

}  // namespace

Eigen::MatrixXd jacobian_of(const LeastSquares& problem, const Eigen::VectorXd& x,
                            const Eigen::VectorXd& residuals) {
  Eigen::MatrixXd jacobian(residuals.size(), x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const double h = x[i] - kDifference >= problem.lower[i] ? -kDifference : kDifference;
    Eigen::VectorXd moved = x;
    moved[i] += h;
    jacobian.col(i) = (problem.residuals(moved) - residuals) / h;
  }
  return jacobian;
}

Minimum minimize(const LeastSquares& problem, Eigen::VectorXd start) {
  Minimum at{std::move(start), {}, {}};
  at.residuals = problem.residuals(at.x);
  at.jacobian = jacobian_of(problem, at.x, at.residuals);
  double damping = 1e-3;
  for (int i = 0; i < kMaxIterations; ++i) {
    const std::vector<Index> free = free_of(problem, at);
    double moved = 0.0;
    for (; !free.empty() && damping < kMaxDamping; damping *= 8.0) {
      const Eigen::VectorXd x =
          (at.x + step_of(at, free, damping)).cwiseMax(problem.lower).cwiseMin(problem.upper);
      Eigen::VectorXd residuals = problem.residuals(x);
      if (residuals.squaredNorm() > at.cost()) continue;
      moved = (x - at.x).lpNorm<Eigen::Infinity>();
      at.x = x;
      at.residuals = std::move(residuals);
      damping /= 16.0;
      break;
    }
    if (moved == 0.0) break;
    at.jacobian = jacobian_of(problem, at.x, at.residuals);
    if (moved < kSmallestMove) break;
  }
  return at;
}

}  // namespace railwright::planner
