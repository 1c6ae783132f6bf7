// SPDX-License-Identifier: Apache-2.0
// Whether measured runs tell two factors apart, and which run would.
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

/// Standard errors of logarithms for errors of 1 % in each step time, or of the runs' own standard
/// errors where these are larger; infinite where nothing depends on a factor. `jacobian` is that of
/// ln(predicted), a row a run.
Eigen::VectorXd reach_of(const Eigen::MatrixXd& jacobian, const std::vector<double>& sigmas);

/// A standard error beyond this tells nothing.
inline constexpr double kWidestReach = 0.5;

/// What keeps both factors from being fitted; "" where nothing does.
std::string confusion(const Eigen::MatrixXd& jacobian, const std::vector<double>& sigmas);

/// The same where the slope says nothing: NICs that are just fast enough to hide are as fast as any
/// faster ones. Compares `fitted` with faster NICs and compute efficiency fitted to them.
std::string confusion_above(const std::vector<MeasuredRun>& runs, const SiteProblem& problem,
                            const Factors& fitted, simulation::Method method);

/// The one of a few simple variations of the runs (nodes, NICs, batch) that, measured too, would
/// narrow the NICs' factor most, in words; "" where none would do. Closed-form estimates.
std::string telling_run(const std::vector<MeasuredRun>& runs, const core::Catalogue& catalogue,
                        const Factors& at);

}  // namespace railwright::validation
