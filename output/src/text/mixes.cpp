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
using simulation::QueueResult;
/// The rows of one design, as (label, number); designs of one kind have the same labels.
using Rows = std::vector<std::pair<std::string, std::string>>;

Rows rows_of(const QueueResult& queue) {
  Rows rows;
  for (const simulation::ScopedNumber& one : simulation::queue_numbers()) {
    const simulation::NumberValue value = one.read(source_of(queue));
    if (!value) continue;
    rows.emplace_back(one.number.beside.text, number_text(value.number(), one.number.format));
  }
  return rows;
}

Rows rows_of(const JobsResult& jobs) {
  if (!jobs.feasible()) return {};
  Rows rows;
  const std::vector<double> ratios = slowdowns(jobs);
  for (std::size_t i = 0; i < jobs.run.jobs.size(); ++i) {
    const simulation::JobRun& job = jobs.run.jobs[i];
    rows.emplace_back(job.name, fmt::format("{} ({})", to_text(job.training_time()),
                                            signed_percent(ratios[i] - 1.0)));
  }
  const int num_storage_nodes = jobs.run.storage.num_nodes;
  if (num_storage_nodes > 0) rows.emplace_back("storage nodes", std::to_string(num_storage_nodes));
  for (const simulation::ScopedNumber& one : simulation::jobs_numbers()) {
    const simulation::NumberValue value = one.read(source_of(jobs));
    if (!value || one.number.column.empty()) continue;
    const std::string_view word =
        one.number.word.empty() ? one.number.beside.text : one.number.word;
    rows.emplace_back(word, number_text(value.number(), one.number.format));
  }
  return rows;
}

Rows rows_of(const MixDesign& design) {
  if (!design.is_valid) return {};
  const auto* queue = std::get_if<QueueResult>(&design.result);
  return queue != nullptr ? rows_of(*queue) : rows_of(std::get<JobsResult>(design.result));
}

/// Returns "a mean wait of 3 h" or "a longest job of 3 h".
std::string time_text(const MixDesign& design) {
  const bool is_queue = std::holds_alternative<QueueResult>(design.result);
  return fmt::format("a {} of {}", is_queue ? "mean wait" : "longest job",
                     to_text(planner::time_of(design)));
}

}  // namespace

std::string verdict(const MixesSideBySide& result, const TextStyle& style) {
  const auto best = result.best();
  std::string text = title(plural(std::ssize(result.designs), "design"), 1, style);
  if (!best) {
    text += fact("verdict", strong("none of them fits", style, "1;31"));
  } else {
    const MixDesign& design = result.designs[*best];
    text += fact("verdict", strong(design.name, style, "1;32") + " has " + time_text(design));
    const MixDesign& first = result.designs.front();
    if (*best > 0 && simulation::is_feasible(first.result)) {
      text += fact("the first has", time_text(first));
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
    all.push_back(rows_of(design));
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
  const bool has_jobs = std::holds_alternative<JobsResult>(result.designs.front().result);
  return table.text(style) +
         (has_jobs ? "in brackets: longer than with the cluster to itself\n" : "");
}

}  // namespace railwright::output
