// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "railwright/simulation/results/result_number.hpp"

namespace railwright::planner {

namespace {

using simulation::ScopedNumber;

bool needs_run(const ScopedNumber& one) {
  return one.scope != simulation::NumberScope::kDesign &&
         one.scope != simulation::NumberScope::kStep;
}

/// Numbers that have a column, in the order of the columns.
const std::vector<const ScopedNumber*>& columns_of_numbers() {
  static const std::vector<const ScopedNumber*> kAll = [] {
    std::vector<const ScopedNumber*> all;
    for (const ScopedNumber& one : simulation::result_numbers()) {
      if (!one.number.column.empty()) all.push_back(&one);
    }
    std::ranges::stable_sort(all, {}, [](const ScopedNumber* one) {
      return std::pair(needs_run(*one), one->number.column_place);
    });
    if (all.size() > kMaxSweepNumbers) {
      throw std::logic_error("more columns than kMaxSweepNumbers of sweep_row.hpp");
    }
    return all;
  }();
  return kAll;
}

std::span<const ScopedNumber* const> columns_of_numbers(bool with_run) {
  return std::span(columns_of_numbers()).first(num_sweep_numbers(with_run));
}

/// A line of a file must stay one.
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

std::vector<SweepColumn> output_columns(bool with_run) {
  std::vector<SweepColumn> columns{
      {"feasible", ColumnType::kBool}, {"reason", ColumnType::kText}, {"error", ColumnType::kText}};
  for (const ScopedNumber* one : columns_of_numbers(with_run)) {
    const simulation::ResultNumber& number = one->number;
    columns.push_back({number.column, number.is_whole ? ColumnType::kInteger : ColumnType::kReal});
  }
  return columns;
}

std::size_t num_sweep_numbers(bool with_run) {
  const auto& all = columns_of_numbers();
  if (with_run) return all.size();
  return static_cast<std::size_t>(
      std::ranges::find_if(all, [](const ScopedNumber* one) { return needs_run(*one); }) -
      all.begin());
}

std::size_t place_of(std::string_view column) {
  const auto& all = columns_of_numbers();
  const auto found = std::ranges::find_if(
      all, [&](const ScopedNumber* one) { return one->number.column == column; });
  return static_cast<std::size_t>(found - all.begin());
}

void output_cells(const SweepRow& row, bool with_run, std::vector<SweepValue>& out) {
  const auto text_if = [&](PointState state) {
    return row.state == state ? SweepValue(row.note) : SweepValue();
  };
  out.push_back(row.state == PointState::kError ? SweepValue()
                                                : SweepValue(row.state == PointState::kFeasible));
  out.push_back(text_if(PointState::kInfeasible));
  out.push_back(text_if(PointState::kError));
  const auto columns = columns_of_numbers(with_run);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double number = row.numbers[i];
    if (std::isnan(number)) {
      out.emplace_back();
    } else if (columns[i]->number.is_whole) {
      out.emplace_back(static_cast<std::int64_t>(number));
    } else {
      out.emplace_back(number);
    }
  }
}

void fill(const simulation::SimulationResult& result, bool with_run, SweepRow& row) {
  row.state = result.feasible() ? PointState::kFeasible : PointState::kInfeasible;
  row.note = joined(result.infeasible);
  const simulation::NumberSource source = source_of(result);
  const auto columns = columns_of_numbers(with_run);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const simulation::NumberValue value = columns[i]->read(source);
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

std::string joined(const std::vector<simulation::Infeasibility>& reasons) {
  std::vector<std::string> texts;
  for (const simulation::Infeasibility& reason : reasons) texts.push_back(reason.what);
  return join(texts);
}

}  // namespace railwright::planner
