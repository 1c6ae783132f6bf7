// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/leave_out_families.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "../suites/error_groups.hpp"
#include "fit_problem.hpp"
#include "fit_rows.hpp"
#include "suite_rows.hpp"

namespace railwright::validation {

namespace {

/// Predicts the steps of a family from a fit to the others, which begins at `start`.
std::vector<LeftOutStep> predict_family(const std::string& family, SuiteRows& suite,
                                        const Coordinates& start,
                                        const core::Catalogue& catalogue) {
  std::vector<FitRow> fitted;
  std::vector<FitRow> left_out;
  for (std::size_t i = 0; i < suite.rows.size(); ++i) {
    if (suite.rows[i].family == family) {
      left_out.push_back(suite.rows[i]);
    } else if (suite.is_drawn[i]) {
      fitted.push_back(suite.rows[i]);
    }
  }
  count_rows(fitted, suite.numbers);
  Coordinates x = start;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Number& number = suite.numbers[i];
    if (number.num_rows == 0) x[i] = number.coordinate(number.start);
    number.is_set = true;
  }
  const FitPlan& plan = *suite.suite.fit;
  x = minimize(Problem(std::move(fitted), suite.numbers, plan, catalogue), suite.numbers, x);
  fill_unseen(plan.stack, suite.numbers, x);
  std::vector<LeftOutStep> steps;
  const std::vector<double> errors = log_errors_of(left_out, suite.numbers, x, catalogue);
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    steps.push_back({.id = left_out[i].id, .family = family, .ratio = std::exp(-errors[i])});
  }
  return steps;
}

ErrorStatistics errors_of(const std::vector<LeftOutStep>& steps) {
  std::vector<double> errors;
  errors.reserve(steps.size());
  for (const LeftOutStep& step : steps) errors.push_back(1.0 / step.ratio - 1.0);
  return statistics_of(std::move(errors));
}

}  // namespace

LeftOutFamilies leave_out_families(const core::Node& tree, const core::Catalogue& catalogue,
                                   const std::function<void(std::int64_t, std::int64_t)>& tell) {
  SuiteRows suite = read_suite_rows(tree, catalogue);
  std::vector<FitRow> drawn;
  std::set<std::string> families;
  for (std::size_t i = 0; i < suite.rows.size(); ++i) {
    families.insert(suite.rows[i].family);
    if (!suite.is_drawn[i]) continue;
    build_fabric(suite.rows[i], catalogue);
    drawn.push_back(suite.rows[i]);
  }
  count_rows(drawn, suite.numbers);
  const Coordinates start =
      minimize(Problem(std::move(drawn), suite.numbers, *suite.suite.fit, catalogue), suite.numbers,
               start_of(suite.numbers));
  LeftOutFamilies result{.suite = suite.suite.name};
  const auto num_fits = static_cast<std::int64_t>(families.size()) + 1;
  for (const std::string& family : families) {
    if (tell) tell(static_cast<std::int64_t>(result.families.size()) + 1, num_fits);
    const std::vector<LeftOutStep> steps = predict_family(family, suite, start, catalogue);
    result.families.push_back({.family = family, .errors = errors_of(steps)});
    result.steps.insert(result.steps.end(), steps.begin(), steps.end());
  }
  result.all = errors_of(result.steps);
  return result;
}

}  // namespace railwright::validation
