// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "railwright/simulation/results/outputs.hpp"

namespace railwright::planner {

namespace {

struct OutputColumn {
  std::string name;
  std::string path;  ///< in the JSON of `simulate`
  bool is_integer = false;
};

const std::vector<OutputColumn>& all_outputs() {
  static const std::vector<OutputColumn> kAll = [] {
    std::vector<OutputColumn> all{{"num_accelerators", "num_accelerators", true},
                                  {"dp", "layout.dp", true},
                                  {"num_microbatches", "num_microbatches", true},
                                  {"memory_per_accelerator_bytes", "memory_per_accelerator_bytes"},
                                  {"memory_capacity_bytes", "memory_capacity_bytes"},
                                  {"step_time_s", "step_time_s"},
                                  {"samples_per_s", "samples_per_s"},
                                  {"tokens_per_s", "tokens_per_s"},
                                  {"model_flops_utilization", "model_flops_utilization"},
                                  {"hardware_flops_utilization", "hardware_flops_utilization"},
                                  {"bubble_fraction", "bubble_fraction"}};
    for (const std::string_view cause : simulation::kCauseNames) {
      const std::string name(cause);
      all.push_back({"breakdown_" + name + "_s", "breakdown." + name});
    }
    all.insert(all.end(), {{"training_time_s", "training_time_s"},
                           {"effective_training_time", "effective_training_time"},
                           {"checkpoint_bytes", "storage.checkpoint_bytes", true},
                           {"checkpoint_time_s", "storage.checkpoint_time_s"},
                           {"num_checkpoints", "storage.num_checkpoints"},
                           {"restore_time_s", "storage.restore_time_s"},
                           {"mean_power_w", "power.mean_power_w"},
                           {"energy_j", "energy.energy_j"},
                           {"run_cost_usd", "cost.run_usd"}});
    return all;
  }();
  return kAll;
}

std::size_t num_outputs(bool with_run) {
  return with_run ? kNumSweepOutputs : static_cast<std::size_t>(SweepOutput::kTrainingTime);
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
  for (std::size_t i = 0; i < num_outputs(with_run); ++i) {
    const OutputColumn& output = all_outputs()[i];
    columns.push_back({output.name, output.is_integer ? ColumnType::kInteger : ColumnType::kReal});
  }
  return columns;
}

void output_cells(const SweepRow& row, bool with_run, std::vector<SweepValue>& out) {
  const auto text_if = [&](PointState state) {
    return row.state == state ? SweepValue(row.note) : SweepValue();
  };
  out.push_back(row.state == PointState::kError ? SweepValue()
                                                : SweepValue(row.state == PointState::kFeasible));
  out.push_back(text_if(PointState::kInfeasible));
  out.push_back(text_if(PointState::kError));
  for (std::size_t i = 0; i < num_outputs(with_run); ++i) {
    const double number = row.numbers[i];
    if (std::isnan(number)) {
      out.emplace_back();
    } else if (all_outputs()[i].is_integer) {
      out.emplace_back(static_cast<std::int64_t>(number));
    } else {
      out.emplace_back(number);
    }
  }
}

void fill(const simulation::SimulationResult& result, bool with_run, SweepRow& row) {
  row.state = result.feasible() ? PointState::kFeasible : PointState::kInfeasible;
  row.note = joined(result.infeasible);
  for (const simulation::Output& output : outputs(result)) {
    const auto known = std::ranges::find(all_outputs(), output.path, &OutputColumn::path);
    if (known == all_outputs().end()) continue;
    const auto i = static_cast<std::size_t>(known - all_outputs().begin());
    if (i < num_outputs(with_run)) row.numbers[i] = output.number();
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
