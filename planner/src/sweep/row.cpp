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

namespace railwright::planner {

namespace {

using simulation::ScopedNumber;

using NumberColumns = std::vector<const ScopedNumber*>;

bool needs_run(const ScopedNumber& one) {
  using Scope = simulation::NumberScope;
  static constexpr std::array kWithoutRun{Scope::kDesign,       Scope::kStep,
                                          Scope::kService,      Scope::kAnswers,
                                          Scope::kQueue,        Scope::kQueueRun,
                                          Scope::kJobs,         Scope::kJobsRun,
                                          Scope::kPostTraining, Scope::kPostTrainingStep};
  return std::ranges::find(kWithoutRun, one.scope) == kWithoutRun.end();
}

NumberColumns columns_among(const std::vector<ScopedNumber>& numbers) {
  NumberColumns all;
  for (const ScopedNumber& one : numbers) {
    if (!one.number.column.empty()) all.push_back(&one);
  }
  std::ranges::stable_sort(all, {}, [](const ScopedNumber* one) {
    return std::pair(needs_run(*one), one->number.column_place);
  });
  if (all.size() > kMaxSweepNumbers) {
    throw std::logic_error("more columns than kMaxSweepNumbers of sweep_row.hpp");
  }
  return all;
}

/// Returns the numbers that have a column, in the order of columns.
const NumberColumns& columns_of_numbers(SweepKind kind) {
  static const std::array<NumberColumns, 5> kByKind{
      columns_among(simulation::result_numbers()), columns_among(simulation::serving_numbers()),
      columns_among(simulation::queue_numbers()), columns_among(simulation::jobs_numbers()),
      columns_among(simulation::post_training_numbers())};
  return kByKind[static_cast<std::size_t>(kind)];
}

std::span<const ScopedNumber* const> columns_of_numbers(SweepKind kind, bool with_run) {
  return std::span(columns_of_numbers(kind)).first(num_sweep_numbers(kind, with_run));
}

void fill_numbers(const simulation::NumberSource& source, SweepKind kind, bool with_run,
                  SweepRow& row) {
  const auto columns = columns_of_numbers(kind, with_run);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const simulation::NumberValue value = columns[i]->read(source);
    if (value) row.numbers[i] = value.number();
  }
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

std::vector<SweepColumn> output_columns(SweepKind kind, bool with_run) {
  std::vector<SweepColumn> columns{
      {"feasible", ColumnType::kBool}, {"reason", ColumnType::kText}, {"error", ColumnType::kText}};
  for (const ScopedNumber* one : columns_of_numbers(kind, with_run)) {
    const simulation::ResultNumber& number = one->number;
    columns.push_back({number.column, number.is_whole ? ColumnType::kInteger : ColumnType::kReal});
  }
  return columns;
}

std::size_t num_sweep_numbers(SweepKind kind, bool with_run) {
  const NumberColumns& all = columns_of_numbers(kind);
  // Jobs meet at their storage in a run alone.
  if (with_run || kind == SweepKind::kJobs) return all.size();
  return static_cast<std::size_t>(
      std::ranges::find_if(all, [](const ScopedNumber* one) { return needs_run(*one); }) -
      all.begin());
}

SweepGoals goals_of(SweepKind kind) {
  using Format = simulation::NumberFormat;
  if (kind == SweepKind::kTraining) {
    return {{{"shortest_step", "shortest step", "step_time_s", Format::kTime, true},
             {"max_throughput", "most samples/s", "samples_per_s", Format::kPlain, false}}};
  }
  if (kind == SweepKind::kQueue) {
    return {
        {{"shortest_wait", "shortest mean wait", "wait_mean_s", Format::kTime, true},
         {"max_useful", "most useful accelerator time", "useful_fraction", Format::kShare, false}}};
  }
  if (kind == SweepKind::kJobs) {
    return {
        {{"shortest_makespan", "shortest until all are done", "makespan_s", Format::kTime, true},
         {"min_slowdown", "least slowdown of the worst job", "max_slowdown", Format::kPlain,
          true}}};
  }
  if (kind == SweepKind::kPostTraining) {
    return {{{"shortest_step", "shortest step", "step_time_s", Format::kTime, true},
             {"min_idle", "least idle accelerators", "idle_fraction", Format::kShare, true}}};
  }
  return {{{"min_nodes", "fewest nodes", "num_nodes", Format::kCount, true},
           {"max_throughput", "most tokens/s an accelerator", "accelerator_tokens_per_s",
            Format::kPlain, false}}};
}

std::size_t place_of(SweepKind kind, std::string_view column) {
  const NumberColumns& all = columns_of_numbers(kind);
  const auto found = std::ranges::find_if(
      all, [&](const ScopedNumber* one) { return one->number.column == column; });
  return static_cast<std::size_t>(found - all.begin());
}

void output_cells(const SweepRow& row, SweepKind kind, bool with_run,
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
  fill_numbers(source_of(result), SweepKind::kTraining, with_run, row);
}

void fill(const simulation::InferenceResult& result, bool with_run, SweepRow& row) {
  row.state = result.feasible() ? PointState::kFeasible : PointState::kInfeasible;
  row.note = join(result.infeasible);
  fill_numbers(source_of(result), SweepKind::kService, with_run, row);
}

void fill(const simulation::QueueResult& result, SweepRow& row) {
  row.state = result.feasible() ? PointState::kFeasible : PointState::kInfeasible;
  row.note = join(result.infeasible);
  fill_numbers(source_of(result), SweepKind::kQueue, true, row);
}

void fill(const simulation::JobsResult& result, SweepRow& row) {
  row.state = result.feasible() ? PointState::kFeasible : PointState::kInfeasible;
  row.note = joined(result.infeasible);
  fill_numbers(source_of(result), SweepKind::kJobs, true, row);
}

void fill(const simulation::PostTrainingResult& result, SweepRow& row) {
  row.state = result.feasible() ? PointState::kFeasible : PointState::kInfeasible;
  row.note = join(result.infeasible);
  fill_numbers(source_of(result), SweepKind::kPostTraining, true, row);
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
