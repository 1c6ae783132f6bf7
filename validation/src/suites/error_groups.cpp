// SPDX-License-Identifier: Apache-2.0
#include "error_groups.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "claims.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/models/workload/model.hpp"
#include "series.hpp"
#include "training_facts.hpp"

namespace railwright::validation {

namespace {

bool has_step_error(const ValidationCase& c) { return is_training_step(c) && c.relative_error; }

/// Names a class of model sizes by its limits.
std::string size_class(std::int64_t num_parameters) {
  constexpr std::pair<double, const char*> kClasses[] = {
      {1e9, "below 1 B"}, {10e9, "1 to 10 B"}, {100e9, "10 to 100 B"}};
  for (const auto& [most, name] : kClasses) {
    if (static_cast<double>(num_parameters) < most) return name;
  }
  return "100 B and more";
}

ErrorGroup group_of(std::string by, std::string name,
                    const std::vector<const ValidationCase*>& cases) {
  std::vector<double> errors;
  std::vector<double> same;
  std::vector<double> constant;
  for (const ValidationCase* c : cases) {
    errors.push_back(*c->relative_error);
    if (c->same_baseline) same.push_back(*c->same_baseline);
    if (c->constant_baseline) constant.push_back(*c->constant_baseline);
  }
  return {.by = std::move(by),
          .name = std::move(name),
          .errors = statistics_of(std::move(errors)),
          .same_baseline = statistics_of(std::move(same)),
          .constant_baseline = statistics_of(std::move(constant))};
}

using Name = std::function<std::string(const ValidationCase&)>;

void add_groups(const std::string& by, const std::vector<const ValidationCase*>& cases,
                const Name& name, std::vector<ErrorGroup>& groups) {
  std::map<std::string, std::vector<const ValidationCase*>> members;
  for (const ValidationCase* c : cases) members[name(*c)].push_back(c);
  for (const auto& [key, of_key] : members) groups.push_back(group_of(by, key, of_key));
}

bool is_in(const Target& target, const ValidationCase& c) {
  if (!has_step_error(c) || c.role == ClaimRole::kReject) return false;
  if (target.left_out && c.role != ClaimRole::kValidate) return false;
  return target.groups.empty() || std::ranges::find(target.groups, c.group) != target.groups.end();
}

}  // namespace

ErrorStatistics statistics_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  for (double& error : errors) error = std::abs(error);
  std::ranges::sort(errors);
  ErrorStatistics result{.num_rows = static_cast<int>(errors.size()),
                         .median = core::median(errors),
                         .largest = errors.back()};
  for (const double error : errors) result.mean += error / static_cast<double>(errors.size());
  const auto rank = std::ceil(0.9 * static_cast<double>(errors.size()));
  result.percentile_90 = errors[static_cast<std::size_t>(rank) - 1];
  return result;
}

std::vector<ErrorGroup> error_groups(const std::vector<ValidationCase>& cases) {
  std::vector<const ValidationCase*> predictions;
  std::vector<const ValidationCase*> derived;
  std::vector<const ValidationCase*> steps;
  std::vector<const ValidationCase*> of_products;
  for (const ValidationCase& c : cases) {
    if (!c.training || c.role != ClaimRole::kValidate || !c.relative_error) continue;
    if (c.kind == RowKind::kPrediction) predictions.push_back(&c);
    if (c.kind == RowKind::kDerived) derived.push_back(&c);
    if (has_step_error(c)) steps.push_back(&c);
    if (!c.product.empty()) of_products.push_back(&c);
  }
  const auto quantity = [](const ValidationCase& c) { return c.quantity; };
  std::vector<ErrorGroup> groups;
  add_groups("quantity", predictions, quantity, groups);
  add_groups("derived", derived, quantity, groups);
  const auto group = [](const ValidationCase& c) { return c.group; };
  add_groups("product", of_products, group, groups);
  add_groups("family", steps, group, groups);
  add_groups(
      "device", steps, [](const ValidationCase& c) { return c.training->traits.accelerator; },
      groups);
  add_groups(
      "size", steps, [](const ValidationCase& c) { return size_class(c.training->num_parameters); },
      groups);
  add_groups(
      "parallelism", steps, [](const ValidationCase& c) { return c.training->traits.layout; },
      groups);
  return groups;
}

std::vector<KindCount> count_kinds(const std::vector<ValidationCase>& cases) {
  std::vector<KindCount> counts;
  for (const auto& [name, kind] : core::kWordsOf<RowKind>) {
    KindCount count{.kind = kind};
    std::vector<double> errors;
    for (const ValidationCase& c : cases) {
      if (c.kind != kind || !c.predicted) continue;
      ++count.num_rows;
      count.num_agreeing += verdict_of(c) == Verdict::kAgrees ? 1 : 0;
      if (c.relative_error) errors.push_back(*c.relative_error);
    }
    count.errors = statistics_of(std::move(errors));
    if (count.num_rows > 0) counts.push_back(count);
  }
  return counts;
}

std::vector<TargetResult> hold_against(const std::vector<Target>& targets,
                                       const std::vector<ValidationCase>& cases) {
  std::vector<TargetResult> results;
  for (const Target& target : targets) {
    std::vector<double> errors;
    int num_calibrate = 0;
    for (const ValidationCase& c : cases) {
      if (!is_in(target, c)) continue;
      errors.push_back(*c.relative_error);
      num_calibrate += c.role == ClaimRole::kCalibrate ? 1 : 0;
    }
    const ErrorStatistics errors_of_target = statistics_of(std::move(errors));
    const auto add = [&](const char* statistic, double error, const std::optional<double>& below) {
      if (!below) return;
      std::optional<double> value;
      if (errors_of_target.num_rows > 0) value = error;
      results.push_back({.name = target.name,
                         .statistic = statistic,
                         .num_rows = errors_of_target.num_rows,
                         .num_calibrate = num_calibrate,
                         .value = value,
                         .below = *below});
    };
    add("median", errors_of_target.median, target.median);
    add("mean", errors_of_target.mean, target.mean);
    add("percentile_90", errors_of_target.percentile_90, target.percentile_90);
    add("largest", errors_of_target.largest, target.largest);
  }
  return results;
}

ValidationSummary summarize(const std::vector<ValidationCase>& cases,
                            const std::vector<Target>& targets) {
  ValidationSummary summary;
  std::vector<double> errors;
  for (const ValidationCase& c : cases) {
    summary.num_calibrate += c.role == ClaimRole::kCalibrate ? 1 : 0;
    summary.num_reject += c.role == ClaimRole::kReject ? 1 : 0;
    summary.num_fact += c.role == ClaimRole::kFact ? 1 : 0;
    summary.num_input += c.role == ClaimRole::kInput ? 1 : 0;
    summary.num_arithmetic += c.role == ClaimRole::kArithmetic ? 1 : 0;
    summary.num_outside += c.role == ClaimRole::kOutside ? 1 : 0;
    summary.num_unfit += verdict_of(c) == Verdict::kDoesNotFit ? 1 : 0;
    if (c.role != ClaimRole::kValidate) continue;
    ++summary.num_validate;
    if (c.kind == RowKind::kPrediction && c.relative_error) errors.push_back(*c.relative_error);
  }
  summary.kinds = count_kinds(cases);
  summary.size_classes = size_classes(cases);
  summary.groups = error_groups(cases);
  summary.pairs = pairs_of(cases);
  summary.scaling = scaling_of(cases);
  summary.band = band_of(cases);
  summary.band_scores = band_scores_of(cases);
  summary.family_spread = family_spread_of(cases);
  summary.targets = hold_against(targets, cases);
  const ErrorStatistics all = statistics_of(std::move(errors));
  if (all.num_rows == 0) return summary;
  summary.mean_absolute_error = all.mean;
  summary.median_absolute_error = all.median;
  summary.largest_absolute_error = all.largest;
  return summary;
}

}  // namespace railwright::validation
