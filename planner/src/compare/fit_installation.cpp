// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/fit_installation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::planner {

namespace {

using Factors = Eigen::Vector2d;  ///< logarithms of compute and NIC efficiency

constexpr int kMaxIterations = 40;
constexpr double kTolerance = 1e-9;          ///< relative residual at which the fit has converged
constexpr double kDifference = 1e-4;         ///< of the logarithms, for the Jacobian
constexpr double kLargestStep = 0.5;         ///< of the logarithms
constexpr double kSmallestCondition = 1e-5;  ///< below it the factors cannot be told apart

/// The measured systems, built once: only the two factors change between simulations.
class Problem {
 public:
  explicit Problem(const std::vector<Measurement>& measurements) : measurements_(measurements) {
    for (const Measurement& m : measurements) {
      fabrics_.push_back(m.scenario.topology->build(m.scenario.scenario.cluster).fabric);
    }
  }

  [[nodiscard]] Eigen::VectorXd residuals(const Factors& factors) const {
    Eigen::VectorXd residuals(static_cast<Eigen::Index>(measurements_.size()));
    for (std::size_t i = 0; i < measurements_.size(); ++i) {
      simulation::CheckedScenario scenario = measurements_[i].scenario;
      scenario.scenario.installation.compute_efficiency.value = std::exp(factors[0]);
      scenario.scenario.installation.nic_efficiency.value = std::exp(factors[1]);
      const simulation::StepResult step = simulate_step(step_costs(scenario, fabrics_[i]));
      residuals[static_cast<Eigen::Index>(i)] = step.step_time / measurements_[i].step_time - 1.0;
    }
    return residuals;
  }

  /// Columns are dynamic because Eigen's thin decomposition asks for it.
  [[nodiscard]] Eigen::MatrixXd jacobian(const Factors& factors,
                                         const Eigen::VectorXd& residuals) const {
    Eigen::MatrixXd jacobian(residuals.size(), 2);
    for (Eigen::Index column = 0; column < 2; ++column) {
      Factors moved = factors;
      moved[column] += kDifference;
      jacobian.col(column) = (this->residuals(moved) - residuals) / kDifference;
    }
    return jacobian;
  }

 private:
  const std::vector<Measurement>& measurements_;
  std::vector<core::Fabric> fabrics_;
};

struct Attempt {
  Factors factors;
  double largest_residual = 0.0;
  bool can_tell_apart = true;
};

Attempt gauss_newton(const Problem& problem, Factors factors) {
  Eigen::VectorXd residuals = problem.residuals(factors);
  for (int i = 0; i < kMaxIterations; ++i) {
    if (residuals.lpNorm<Eigen::Infinity>() < kTolerance) break;
    const auto svd =
        problem.jacobian(factors, residuals).jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV);
    if (svd.singularValues()[1] < kSmallestCondition * svd.singularValues()[0]) {
      return {factors, residuals.lpNorm<Eigen::Infinity>(), false};
    }
    Factors step = svd.solve(-residuals);
    const double largest = step.lpNorm<Eigen::Infinity>();
    if (largest > kLargestStep) step *= kLargestStep / largest;
    if (largest < kTolerance) break;
    factors += step;
    residuals = problem.residuals(factors);
  }
  return {factors, residuals.lpNorm<Eigen::Infinity>(), true};
}

}  // namespace

std::variant<Fit, NoFit> fit_installation(const std::vector<Measurement>& measurements) {
  if (measurements.size() < 2) return NoFit{"two factors need at least two measurements"};
  const Problem problem(measurements);
  std::optional<Attempt> best;
  // Where all transfers hide behind computation, NICs have no effect and nothing leads away from
  // there: so the fit starts from slow NICs, and slower ones.
  for (const double nic_efficiency : {0.35, 0.12, 0.04}) {
    const Attempt attempt = gauss_newton(problem, {std::log(0.45), std::log(nic_efficiency)});
    if (!attempt.can_tell_apart) continue;
    if (!best || attempt.largest_residual < best->largest_residual) best = attempt;
    if (best->largest_residual < 1e-6) break;
  }
  if (!best) return NoFit{"the measurements cannot tell compute and NIC efficiency apart"};
  const Fit fit{.compute_efficiency = std::exp(best->factors[0]),
                .nic_efficiency = std::exp(best->factors[1]),
                .largest_residual = best->largest_residual};
  double fastest = std::numeric_limits<double>::infinity();
  for (const Measurement& measurement : measurements) {
    fastest = std::min(fastest, fastest_site(measurement.scenario.scenario));
  }
  if (fit.compute_efficiency > fastest || fit.nic_efficiency > 1.0) {
    return NoFit{"the site would have to be faster than its devices"};
  }
  if (measurements.size() == 2 && fit.largest_residual > 1e-3) {
    return NoFit{"no pair of factors meets both measurements"};
  }
  return fit;
}

}  // namespace railwright::planner
