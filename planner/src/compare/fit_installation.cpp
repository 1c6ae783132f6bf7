// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/fit_installation.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "railwright/planner/site_fit/site_problem.hpp"

namespace railwright::planner {

namespace {

constexpr double kSmallestCondition = 1e-5;  ///< below it the factors cannot be told apart
constexpr double kMet = 1e-3;                ///< of a step time: a pair of factors meets it

bool can_tell_apart(const Eigen::MatrixXd& jacobian) {
  const Eigen::VectorXd values = jacobian.jacobiSvd().singularValues();
  return values[1] >= kSmallestCondition * values[0];
}

}  // namespace

std::variant<Fit, NoFit> fit_installation(const std::vector<MeasuredRun>& runs) {
  if (runs.size() < 2) return NoFit{"two factors need at least two measurements"};
  const SiteProblem problem(runs, {0.0, 0.0});
  const Minimum minimum =
      fit_factors(problem, {kCompute, kNic}, runs.size(), simulation::Method::kSimulate);
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
