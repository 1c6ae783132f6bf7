// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "../words/number_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"

namespace railwright::output {

namespace {

/// Formats a figure in base units with a readable unit of its dimension.
std::string figure(double value, const std::string& unit) {
  core::QuantityError error;
  const auto one = core::parse_quantity("1 " + unit, error);
  if (unit.empty() || !one) return fmt::format("{:.6g}", value);
  return core::format_quantity(value, one->exponents);
}

/// Whether a row has a line of its own: it ran a scenario, differs or is contradicted.
bool shown_alone(const validation::ValidationCase& c) {
  if (c.quantity == "kernel_time") return false;  // thousands, in groups below
  const validation::Verdict verdict = verdict_of(c);
  return !c.scenario.empty() || verdict == validation::Verdict::kDiffers ||
         verdict == validation::Verdict::kContradicted;
}

}  // namespace

std::string to_text(const validation::ValidationResult& result, const TextStyle& style) {
  std::string text =
      fmt::format("Suite {}: published figures against predictions\n\n", result.suite);
  Table table({"case", "kind", "published", "rounding", "predicted", "error"});
  table.align_left(1);
  for (const validation::ValidationCase& c : result.cases) {
    if (!shown_alone(c)) continue;
    table.add_row({c.id, std::string(c.kind ? to_string(*c.kind) : to_string(c.role)),
                   figure(c.published, c.unit),
                   c.rounding ? "\u00b1" + figure(*c.rounding, c.unit) : "",
                   c.predicted ? figure(*c.predicted, c.unit) : "does not fit",
                   c.relative_error ? signed_percent(*c.relative_error) : ""});
  }
  text += table.text(style);
  return text + "\n" + summary_text(result, style);
}

}  // namespace railwright::output
