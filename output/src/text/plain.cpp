// SPDX-License-Identifier: Apache-2.0
// The answer of a kind of scenario that says no more than its numbers.
#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/result_text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/workloads/kinds.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

std::string verdict(const simulation::PlainResult& result, const TextStyle& style) {
  if (!result.feasible()) return unfit_head(result.name, result.infeasible, style);
  const simulation::ScenarioKind& kind = simulation::kind_named(result.kind);
  const auto& rank = kind.ranked_by();
  return title(result.name, 1, style) + fits_text(std::string(kind.facts.says), style) +
         fact(rank.label(),
              strong(number_text(rank.of(result).number(), rank.format), style, "1;32"));
}

std::string to_text(const simulation::PlainResult& result, const TextStyle& style) {
  Table table({"number", "value"});
  bool is_empty = true;
  for (const auto& number : simulation::kind_named(result.kind).numbers()) {
    const simulation::NumberValue value = number.of(result);
    if (!value || number.label().empty()) continue;
    table.add_row({std::string(number.label()), number_text(value.number(), number.format)});
    is_empty = false;
  }
  return is_empty ? std::string() : table.text(style);
}

}  // namespace railwright::output
