// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "railwright/simulation/results/result_number.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::planner {

namespace {

using simulation::ResultView;
using simulation::ScenarioKind;
using Column = simulation::Number<ResultView>;
using NumberColumns = std::vector<const Column*>;

NumberColumns columns_among(const simulation::Numbers<ResultView>& numbers) {
  NumberColumns all;
  for (const Column& one : numbers) {
    if (!one.column.empty()) all.push_back(&one);
  }
  std::ranges::stable_sort(
      all, {}, [](const Column* one) { return std::pair(one->needs_run, one->column_place); });
  if (all.size() > kMaxSweepNumbers) {
    throw std::logic_error("more columns than kMaxSweepNumbers of sweep_row.hpp");
  }
  return all;
}

/// Returns the numbers that have a column, in the order of columns.
const NumberColumns& columns_of_numbers(const ScenarioKind& kind) {
  static const std::vector<NumberColumns> kByKind = [] {
    std::vector<NumberColumns> all;
    for (const ScenarioKind& one : simulation::scenario_kinds()) {
      all.push_back(columns_among(one.numbers()));
    }
    return all;
  }();
  return kByKind[static_cast<std::size_t>(&kind - simulation::scenario_kinds().data())];
}

std::span<const Column* const> columns_of_numbers(const ScenarioKind& kind, bool with_run) {
  return std::span(columns_of_numbers(kind)).first(num_sweep_numbers(kind, with_run));
}

/// Replaces line breaks, since a row of a file must stay one line.
std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

template <class Texts>
std::string join(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += " | ";
    all += text;
  }
  return on_one_line(std::move(all));
}

}  // namespace

std::vector<SweepColumn> output_columns(const ScenarioKind& kind, bool with_run) {
  std::vector<SweepColumn> columns{
      {"feasible", ColumnType::kBool}, {"reason", ColumnType::kText}, {"error", ColumnType::kText}};
  for (const Column* one : columns_of_numbers(kind, with_run)) {
    columns.push_back({one->column, one->is_whole ? ColumnType::kInteger : ColumnType::kReal});
  }
  return columns;
}

std::size_t num_sweep_numbers(const ScenarioKind& kind, bool with_run) {
  const NumberColumns& all = columns_of_numbers(kind);
  if (with_run) return all.size();
  return static_cast<std::size_t>(
      std::ranges::find_if(all, [](const Column* one) { return one->needs_run; }) - all.begin());
}

std::size_t place_of(const ScenarioKind& kind, std::string_view column) {
  const NumberColumns& all = columns_of_numbers(kind);
  const auto found =
      std::ranges::find_if(all, [&](const Column* one) { return one->column == column; });
  return static_cast<std::size_t>(found - all.begin());
}

void output_cells(const SweepRow& row, const ScenarioKind& kind, bool with_run,
                  std::vector<SweepValue>& out) {
  const auto text_if = [&](PointState state) {
    return row.state == state ? SweepValue(row.note) : SweepValue();
  };
  out.push_back(row.state == PointState::kError ? SweepValue()
                                                : SweepValue(row.state == PointState::kFeasible));
  out.push_back(text_if(PointState::kInfeasible));
  out.push_back(text_if(PointState::kError));
  const auto columns = columns_of_numbers(kind, with_run);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double number = row.numbers[i];
    if (std::isnan(number)) {
      out.emplace_back();
    } else if (columns[i]->is_whole) {
      out.emplace_back(static_cast<std::int64_t>(number));
    } else {
      out.emplace_back(number);
    }
  }
}

void fill(const ResultView& result, const ScenarioKind& kind, bool with_run, SweepRow& row) {
  const bool is_feasible = simulation::is_feasible(result);
  row.state = is_feasible ? PointState::kFeasible : PointState::kInfeasible;
  row.note = is_feasible ? std::string() : join(simulation::reasons_of(result));
  const auto columns = columns_of_numbers(kind, with_run);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const simulation::NumberValue value = columns[i]->of(result);
    if (value) row.numbers[i] = value.number();
  }
}

void fill(const std::vector<core::Diagnostic>& problems, SweepRow& row) {
  std::set<std::string> texts;
  for (const core::Diagnostic& problem : problems) {
    texts.insert(
        core::to_string(core::Diagnostic{{}, problem.path, problem.message, problem.hint}));
  }
  row.state = PointState::kError;
  row.note = join(texts);
}

}  // namespace railwright::planner
