// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/site_fit/site_problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

namespace {

constexpr double kSlowest = 1e-3;  ///< lower limit of Installation's factors
constexpr double kFastest = 2.0;   ///< upper limit of Installation's compute_efficiency
constexpr double kFinest = 1e-4;   ///< smallest relative standard error that a clock can have

}  // namespace

double log_step_time(simulation::CheckedScenario scenario, const core::Fabric& fabric,
                     const Factors& factors, simulation::Method method) {
  scenario.scenario.installation.compute_efficiency.value = std::exp(factors[kCompute]);
  scenario.scenario.installation.nic_efficiency.value = std::exp(factors[kNic]);
  const simulation::StepCosts costs = step_costs(scenario, fabric);
  const core::Duration time = method == simulation::Method::kEstimate
                                  ? estimate_step(costs).total()
                                  : simulate_step(costs).step_time;
  return std::log(time.base());
}

SiteProblem::SiteProblem(const std::vector<MeasuredRun>& runs, const Factors& held)
    : runs_(runs), held_(held) {
  std::vector<double> given;
  for (const MeasuredRun& run : runs) {
    fabrics_.push_back(run.scenario.topology->build(run.scenario.scenario.cluster).fabric);
    if (run.standard_error) given.push_back(*run.standard_error / run.step_time);
  }
  has_standard_errors_ = !given.empty();
  const double typical = given.empty() ? 1.0 : core::median(std::move(given));
  for (const MeasuredRun& run : runs) {
    measured_.push_back(
        std::max(kFinest, run.standard_error ? *run.standard_error / run.step_time : typical));
  }
  sigmas_ = measured_;
}

void SiteProblem::add_model_error(double error) {
  for (std::size_t i = 0; i < sigmas_.size(); ++i) sigmas_[i] = std::hypot(measured_[i], error);
}

double SiteProblem::error(std::size_t run, const Factors& factors,
                          simulation::Method method) const {
  return log_step_time(runs_[run].scenario, fabrics_[run], factors, method) -
         std::log(runs_[run].step_time.base());
}

std::vector<double> SiteProblem::errors(const Factors& factors, simulation::Method method) const {
  std::vector<double> errors(runs_.size());
  core::parallel_for(runs_.size(), [&](std::size_t i) { errors[i] = error(i, factors, method); });
  return errors;
}

Factors SiteProblem::factors_of(const Eigen::VectorXd& x,
                                const std::vector<std::size_t>& fitted) const {
  Factors factors = held_;
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    factors[fitted[i]] = x[static_cast<Eigen::Index>(i)];
  }
  return factors;
}

LeastSquares SiteProblem::least_squares(const std::vector<std::size_t>& fitted,
                                        std::size_t left_out, simulation::Method method) const {
  const auto size = static_cast<Eigen::Index>(fitted.size());
  Eigen::VectorXd most(size);
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    most[static_cast<Eigen::Index>(i)] = upper(fitted[i]);
  }
  return {.residuals =
              [this, fitted, left_out, method](const Eigen::VectorXd& x) {
                Eigen::VectorXd residuals =
                    Eigen::VectorXd::Zero(static_cast<Eigen::Index>(runs_.size()));
                const Factors factors = factors_of(x, fitted);
                core::parallel_for(runs_.size(), [&](std::size_t i) {
                  if (i == left_out) return;
                  residuals[static_cast<Eigen::Index>(i)] = error(i, factors, method) / sigmas_[i];
                });
                return residuals;
              },
          .lower = Eigen::VectorXd::Constant(size, std::log(kSlowest)),
          .upper = std::move(most)};
}

double SiteProblem::upper(std::size_t factor) const {
  if (factor == kNic) return 0.0;
  double fastest = kFastest;
  for (const MeasuredRun& run : runs_) {
    fastest = std::min(fastest, fastest_site(run.scenario.scenario));
  }
  return std::log(fastest);
}

}  // namespace railwright::planner
