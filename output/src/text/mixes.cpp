// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/result_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/mixes_text.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::to_text;
using planner::MixDesign;
using planner::MixesSideBySide;
using simulation::JobsResult;
/// The rows of one design, as (label, number); designs of one kind have the same labels.
using Rows = std::vector<std::pair<std::string, std::string>>;

/// Returns the rows of a kind that are not among its numbers.
template <class Result>
Rows own_rows(const Result&) {
  return {};
}

Rows own_rows(const JobsResult& jobs) {
  Rows rows;
  const std::vector<double> ratios = slowdowns(jobs);
  for (std::size_t i = 0; i < jobs.run.jobs.size(); ++i) {
    const simulation::JobRun& job = jobs.run.jobs[i];
    rows.emplace_back(job.name, fmt::format("{} ({})", to_text(job.training_time()),
                                            signed_percent(ratios[i] - 1.0)));
  }
  const int num_storage_nodes = jobs.run.storage.num_nodes;
  if (num_storage_nodes > 0) rows.emplace_back("storage nodes", std::to_string(num_storage_nodes));
  return rows;
}

Rows rows_of(const MixesSideBySide& all, const MixDesign& design) {
  if (!design.is_valid) return {};
  const auto* jobs = std::get_if<JobsResult>(&design.result);
  if (jobs != nullptr && !jobs->feasible()) return {};
  Rows rows = std::visit([](const auto& one) { return own_rows(one); }, design.result);
  for (const auto& number : all.kind->numbers()) {
    const simulation::NumberValue value = number.of(design.result);
    if (!value || number.column.empty()) continue;
    rows.emplace_back(number.label(), number_text(value.number(), number.format));
  }
  return rows;
}

std::vector<std::string> reasons_of(const MixDesign& design) {
  if (!design.is_valid) return {design.problem};
  return simulation::reasons_of(design.result);
}

/// Returns "a mean wait of 3 h" or "a longest job of 3 h".
std::string time_text(const MixesSideBySide& all, const MixDesign& design) {
  const auto& ranked_by = all.kind->ranked_by();
  return fmt::format("a {} of {}", ranked_by.label(),
                     number_text(all.rank(design), ranked_by.format));
}

}  // namespace

std::string verdict(const MixesSideBySide& result, const TextStyle& style) {
  const auto best = result.best();
  std::string text = title(plural(std::ssize(result.designs), "design"), 1, style);
  if (!best) {
    text += fact("verdict", strong("none of them fits", style, "1;31"));
  } else {
    const MixDesign& design = result.designs[*best];
    text +=
        fact("verdict", strong(design.name, style, "1;32") + " has " + time_text(result, design));
    const MixDesign& first = result.designs.front();
    if (*best > 0 && first.is_valid && simulation::is_feasible(first.result)) {
      text += fact("the first has", time_text(result, first));
    }
  }
  for (const MixDesign& design : result.designs) {
    for (const std::string& why : reasons_of(design)) {
      text += fact(design.is_valid ? "does not fit" : "invalid", design.name + ": " + why);
    }
  }
  return text;
}

std::string to_text(const MixesSideBySide& result, const TextStyle& style) {
  std::vector<std::string> header{""};
  std::vector<Rows> all;
  for (const MixDesign& design : result.designs) {
    header.push_back(design.name);
    all.push_back(rows_of(result, design));
  }
  const Rows& longest =
      *std::ranges::max_element(all, {}, [](const Rows& rows) { return rows.size(); });
  Table table(std::move(header));
  for (const auto& [label, unused] : longest) {
    std::vector<std::string> cells{label};
    for (const Rows& rows : all) {
      const auto row = std::ranges::find(rows, label, &Rows::value_type::first);
      cells.push_back(row == rows.end() ? "" : row->second);
    }
    table.add_row(std::move(cells));
  }
  const bool has_jobs = result.kind->facts.key == "jobs";
  return table.text(style) +
         (has_jobs ? "in brackets: longer than with the cluster to itself\n" : "");
}

}  // namespace railwright::output
