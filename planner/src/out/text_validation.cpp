// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "railwright/core/units/text.hpp"
#include "railwright/planner/out/text.hpp"

namespace railwright::planner {

namespace {

/// A figure in the unit that its base-unit symbol stands for.
std::string figure(double value, const std::string& unit) {
  core::QuantityError error;
  const auto one = core::parse_quantity("1 " + unit, error);
  if (unit.empty() || !one) return fmt::format("{:.6g}", value);
  return core::format_quantity(value, one->exponents);
}

}  // namespace

std::string to_text(const ValidationResult& result, const TextStyle& style) {
  std::string text =
      fmt::format("Suite {}: published figures beside predictions\n\n", result.suite);
  Table table({"case", "role", "published", "rounding", "predicted", "error"});
  table.align_left(1);
  for (const ValidationCase& c : result.cases) {
    table.add_row({c.id, std::string(to_string(c.role)), figure(c.published, c.unit),
                   c.rounding ? "\u00b1" + figure(*c.rounding, c.unit) : "",
                   c.predicted ? figure(*c.predicted, c.unit) : "does not fit",
                   c.relative_error ? fmt::format("{:+.1f} %", 100.0 * *c.relative_error) : ""});
  }
  text += table.text(style);
  const ValidationSummary& summary = result.summary;
  text += fmt::format(
      "\n{} rows validate: absolute error mean {:.1f} %, median {:.1f} %, largest {:.1f} %; {} "
      "rows "
      "calibrate, {} are rejected\n",
      summary.num_validate, 100.0 * summary.mean_absolute_error,
      100.0 * summary.median_absolute_error, 100.0 * summary.largest_absolute_error,
      summary.num_calibrate, summary.num_reject);
  if (!summary.size_classes.empty()) {
    Table classes({"collective", "buffers from", "rows", "median error", "contradictory records",
                   "between them"});
    for (const SizeClass& c : summary.size_classes) {
      classes.add_row({c.group, core::to_text(core::DataSize::from_base(c.from_bytes)),
                       fmt::format("{}", c.num_rows),
                       fmt::format("{:.1f} %", 100.0 * c.median_absolute_error),
                       fmt::format("{}", c.num_contested), fmt::format("{}", c.num_between)});
    }
    text += "\n" + classes.text(style);
  }
  for (const NotRun& record : result.not_run) {
    text += fmt::format("not run {}: its source does not say {}\n", record.id, record.missing);
  }
  for (const std::string& what : result.not_covered) {
    text += fmt::format("no public record covers {}\n", what);
  }
  for (const ValidationCase& c : result.cases) {
    if (c.role == ClaimRole::kReject) text += fmt::format("rejected {}: {}\n", c.id, c.reason);
  }
  return text;
}

}  // namespace railwright::planner
