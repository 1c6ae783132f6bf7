// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/fit_installation.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <optional>
#include <utility>

#include "railwright/planner/site_fit/site_problem.hpp"

namespace railwright::planner {

namespace {

constexpr double kSmallestCondition = 1e-5;  ///< below it the factors cannot be told apart
constexpr double kMet = 1e-3;                ///< of a step time; factors within it meet a run
constexpr double kConverged = 1e-6;          ///< of a step time; below it no other start is tried

bool can_tell_apart(const Eigen::MatrixXd& jacobian) {
  const Eigen::VectorXd values = jacobian.jacobiSvd().singularValues();
  return values[1] >= kSmallestCondition * values[0];
}

/// Starts from slow NICs, then slower ones: if compute hides all transfers, NICs have no effect and
/// no gradient leads away from there.
Minimum best_fit(const SiteProblem& problem) {
  const LeastSquares squares =
      problem.least_squares({kCompute, kNic}, problem.size(), simulation::Method::kSimulate);
  std::optional<Minimum> best;
  for (const double nic : {0.35, 0.12, 0.04}) {
    Minimum minimum = minimize(squares, Eigen::Vector2d(std::log(0.45), std::log(nic)));
    if (!best || minimum.cost() < best->cost()) best = std::move(minimum);
    if (best->residuals.lpNorm<Eigen::Infinity>() < kConverged) break;
  }
  return *best;
}

}  // namespace

std::variant<Fit, NoFit> fit_installation(const std::vector<MeasuredRun>& runs) {
  if (runs.size() < 2) return NoFit{"two factors need at least two measurements"};
  const SiteProblem problem(runs, {0.0, 0.0});
  const Minimum minimum = best_fit(problem);
  if (!can_tell_apart(minimum.jacobian)) {
    return NoFit{"the measurements cannot tell compute and NIC efficiency apart"};
  }
  const double largest = minimum.residuals.lpNorm<Eigen::Infinity>();
  const bool is_met = runs.size() > 2 || largest <= kMet;
  const bool is_at_bound =
      minimum.x[kCompute] >= problem.upper(kCompute) || minimum.x[kNic] >= problem.upper(kNic);
  if (is_at_bound) return NoFit{"the site would have to be faster than its devices"};
  if (!is_met) return NoFit{"no pair of factors meets both measurements"};
  return Fit{.compute_efficiency = std::exp(minimum.x[kCompute]),
             .nic_efficiency = std::exp(minimum.x[kNic]),
             .largest_residual = largest};
}

}  // namespace railwright::planner
