// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/leave_out_families.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "../suites/error_groups.hpp"
#include "../suites/weighted_quantile.hpp"
#include "fit_problem.hpp"
#include "fit_rows.hpp"
#include "suite_rows.hpp"

namespace railwright::validation {

namespace {

using simulation::StepClass;

/// Whether steps with the row's software were fitted.
bool knows_stack(const FitRow& row, const std::vector<Number>& numbers, const FitPlan& plan) {
  return std::ranges::any_of(row.numbers, [&](std::size_t i) {
    const bool is_of_stack = std::ranges::any_of(
        plan.stack, [&](const FreeNumber& kind) { return &kind == numbers[i].kind; });
    return is_of_stack && numbers[i].num_rows > 0;
  });
}

StepClass class_of(const FitRow& row, const std::vector<Number>& numbers, const FitPlan& plan) {
  if (row.has_experts) return StepClass::kExperts;
  return knows_stack(row, numbers, plan) ? StepClass::kKnownStack : StepClass::kNewStack;
}

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
    steps.push_back({.id = left_out[i].id,
                     .family = family,
                     .of = class_of(left_out[i], suite.numbers, plan),
                     .ratio = std::exp(-errors[i])});
  }
  return steps;
}

ErrorStatistics errors_of(const std::vector<LeftOutStep>& steps) {
  std::vector<double> errors;
  errors.reserve(steps.size());
  for (const LeftOutStep& step : steps) errors.push_back(1.0 / step.ratio - 1.0);
  return statistics_of(std::move(errors));
}

LeftOutClass summary_of(const std::vector<LeftOutStep>& steps) {
  LeftOutClass result{.of = steps.front().of, .errors = errors_of(steps)};
  std::map<std::string, std::vector<double>> families;
  for (const LeftOutStep& step : steps) families[step.family].push_back(step.ratio);
  const std::vector<Weighted> all = each_alike(families);
  result.num_families = static_cast<int>(families.size());
  result.band = {.low = quantile(all, 0.1), .high = quantile(all, 0.9)};
  if (families.size() < 2) return result;
  for (const auto& [family, ratios] : families) {
    const std::vector<Weighted> others = each_alike(families, family);
    const double low = quantile(others, 0.1);
    const double high = quantile(others, 0.9);
    const auto held = static_cast<double>(
        std::ranges::count_if(ratios, [&](double r) { return low <= r && r <= high; }));
    result.held_rows += held / static_cast<double>(steps.size());
    result.held_families +=
        held / static_cast<double>(ratios.size()) / static_cast<double>(families.size());
  }
  return result;
}

}  // namespace

std::vector<LeftOutClass> left_out_classes(const std::vector<LeftOutStep>& steps) {
  std::map<StepClass, std::vector<LeftOutStep>> classes;
  for (const LeftOutStep& step : steps) classes[step.of].push_back(step);
  std::vector<LeftOutClass> result;
  for (const auto& [key, of_class] : classes) result.push_back(summary_of(of_class));
  return result;
}

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
  result.classes = left_out_classes(result.steps);
  result.all = errors_of(result.steps);
  return result;
}

}  // namespace railwright::validation
