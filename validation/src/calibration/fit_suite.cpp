// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/fit_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "../suites/error_groups.hpp"
#include "fit_problem.hpp"
#include "fit_rows.hpp"
#include "suite_rows.hpp"

namespace railwright::validation {

namespace {

ErrorStatistics errors_of(const std::vector<double>& log_errors) {
  std::vector<double> errors;
  errors.reserve(log_errors.size());
  for (const double error : log_errors) errors.push_back(std::exp(error) - 1.0);
  return statistics_of(std::move(errors));
}

}  // namespace

SuiteFit fit_suite(const core::Node& tree, const core::Catalogue& catalogue,
                   const std::string& left_out) {
  SuiteRows suite = read_suite_rows(tree, catalogue);
  std::vector<Number>& numbers = suite.numbers;
  std::vector<FitRow> fitted;
  std::vector<FitRow> others;
  for (std::size_t i = 0; i < suite.rows.size(); ++i) {
    const bool is_out = suite.rows[i].family == left_out;
    if (is_out || (left_out.empty() && !suite.is_drawn[i])) {
      others.push_back(std::move(suite.rows[i]));
    } else if (suite.is_drawn[i]) {
      fitted.push_back(std::move(suite.rows[i]));
    }
  }
  if (!left_out.empty() && others.empty()) {
    throw core::ConfigError(
        {{tree.where, "tables", fmt::format("no training step of a family '{}'", left_out), {}}});
  }
  count_rows(fitted, numbers);
  const Coordinates start = start_of(numbers);
  const FitPlan& plan = *suite.suite.fit;
  SuiteFit fit{
      .suite = suite.suite.name, .left_out = left_out, .num_rows = static_cast<int>(fitted.size())};
  const Problem problem(std::move(fitted), numbers, plan, catalogue);
  fit.before = errors_of(problem.residuals(start));
  Coordinates x = minimize(problem, numbers, start);
  const std::vector<double> residuals = problem.residuals(x);
  fit.after = errors_of(residuals);
  const Eigen::MatrixXd covariance = problem.normal(x, residuals).matrix.inverse();
  fill_unseen(plan.stack, numbers, x);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i].is_set) continue;
    const auto a = static_cast<Eigen::Index>(i);
    fit.numbers.push_back({.owner = numbers[i].owner,
                           .path = numbers[i].kind->path,
                           .start = numbers[i].start,
                           .value = numbers[i].value(x[i]),
                           .log_error = std::sqrt(covariance(a, a)),
                           .num_rows = numbers[i].num_rows});
  }
  fit.others = errors_of(log_errors_of(std::move(others), numbers, x, catalogue));
  return fit;
}

}  // namespace railwright::validation
