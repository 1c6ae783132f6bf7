// SPDX-License-Identifier: Apache-2.0
#include "suite_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "../suites/holdout_split.hpp"
#include "railwright/models/software/installation_fields.hpp"

namespace railwright::validation {

namespace {

void check_plan(const Suite& suite, const core::Node& tree, core::Reader& reader) {
  if (!suite.fit || !suite.draw) {
    reader.report(tree.where, "fit", "this suite does not say what is fitted, and to which rows");
    reader.throw_if_any();
  }
}

/// Checks that no entry has more numbers than kMaxOfDevice or kMaxOfStack.
void check_counts(const std::vector<Number>& numbers, const Suite& suite, const core::Node& tree,
                  core::Reader& reader) {
  const auto check = [&](const std::vector<FreeNumber>& kinds, std::size_t most, const char* path) {
    std::map<std::string, std::size_t> counts;
    for (const Number& number : numbers) {
      const bool is_here =
          std::ranges::any_of(kinds, [&](const FreeNumber& kind) { return &kind == number.kind; });
      if (is_here && ++counts[number.owner] == most + 1) {
        reader.report(tree.where, path,
                      fmt::format("more than {} numbers of {}", most, number.owner));
      }
    }
  };
  check(suite.fit->device, kMaxOfDevice, "fit.device");
  check(suite.fit->stack, kMaxOfStack, "fit.stack");
  reader.throw_if_any();
}

}  // namespace

SuiteRows read_suite_rows(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  SuiteRows result{.suite = read_suite(tree, reader)};
  check_plan(result.suite, tree, reader);
  result.rows = fit_rows(result.suite, catalogue, result.numbers);
  check_counts(result.numbers, result.suite, tree, reader);
  std::vector<HoldoutRow> draw;
  draw.reserve(result.rows.size());
  for (const FitRow& row : result.rows) draw.push_back({row.family, row.configuration});
  result.is_drawn = draw_holdout(draw, *result.suite.draw);
  return result;
}

Coordinates start_of(const std::vector<Number>& numbers) {
  Coordinates start;
  start.reserve(numbers.size());
  for (const Number& number : numbers) start.push_back(number.coordinate(number.start));
  return start;
}

}  // namespace railwright::validation
