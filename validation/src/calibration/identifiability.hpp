// SPDX-License-Identifier: Apache-2.0
// Decides whether measured runs determine both factors, and which further run would.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "railwright/planner/site_fit/site_problem.hpp"

namespace railwright::validation {

using planner::Factors;
using planner::kCompute;
using planner::kNic;
using planner::MeasuredRun;
using planner::SiteProblem;

/// Returns standard errors of the factors' logarithms for errors of 1 % in each step time, or of
/// the runs' own standard errors if larger. Infinite if nothing depends on a factor. `jacobian` is
/// that of ln(predicted), with a row for each run.
Eigen::VectorXd reach_of(const Eigen::MatrixXd& jacobian, const std::vector<double>& sigmas);

/// A larger standard error does not determine a factor.
inline constexpr double kWidestReach = 0.5;

/// Says why both factors cannot be fitted; "" if they can.
std::string confusion(const Eigen::MatrixXd& jacobian, const std::vector<double>& sigmas);

/// Says the same where the slope shows nothing: NICs just fast enough to hide are as good as faster
/// ones. Compares `fitted` with faster NICs and compute efficiency fitted to them.
std::string confusion_above(const std::vector<MeasuredRun>& runs, const SiteProblem& problem,
                            const Factors& fitted, simulation::Method method);

/// Names the simple variation of a run (nodes, NICs, batch) that would narrow the NICs' factor most
/// if it were measured too; "" if none would suffice. Uses closed-form estimates.
std::string telling_run(const std::vector<MeasuredRun>& runs, const core::Catalogue& catalogue,
                        const Factors& at);

}  // namespace railwright::validation
