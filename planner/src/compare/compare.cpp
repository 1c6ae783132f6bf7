// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/planner/site_fit/measured_run.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::planner {

namespace {

/// The run of one cell, before it is simulated.
struct CellPlan {
  simulation::CheckedScenario scenario;
  std::optional<core::Duration> published;
};

constexpr std::size_t kMaxCells = 4096;

struct RowPlan {
  std::string name;
  std::string source;
  core::Duration rounding;
  bool fitted = false;
  std::vector<CellPlan> cells;
};

class Planner {
 public:
  Planner(const core::Node& tree, const core::Catalogue& catalogue)
      : tree_(tree), catalogue_(catalogue), base_(simulation::read_training(tree, catalogue)) {
    if (!base_.scenario.comparison) {
      throw core::ConfigError(
          {{tree.where, "comparison", "missing: `compare` needs to know what varies", {}}});
    }
    check();
  }

  [[nodiscard]] const simulation::Comparison& comparison() const {
    return *base_.scenario.comparison;
  }
  [[nodiscard]] const std::string& name() const { return base_.scenario.name; }
  [[nodiscard]] std::string setting() const {
    const models::Installation& site = base_.scenario.installation;
    return fmt::format("software {}, installation {}: compute {:.3g}, NIC {:.3g} of the device",
                       base_.scenario.software.name, site.name.empty() ? "neutral" : site.name,
                       site.compute_efficiency.value, site.nic_efficiency.value);
  }

  [[nodiscard]] std::vector<RowPlan> rows(const std::vector<std::string>& assumption) const {
    std::vector<RowPlan> rows;
    for (const simulation::ComparisonCase& c : cases()) {
      RowPlan row{.name = c.name,
                  .source = c.published ? c.published->source : std::string{},
                  .rounding = c.published ? c.published->rounding : core::Duration{},
                  .fitted = !comparison().fitted_to.empty() && c.name == comparison().fitted_to,
                  .cells = {}};
      for (std::size_t i = 0; i < comparison().vary.values.size(); ++i) {
        core::Node tree =
            simulation::with_settings(simulation::with_settings(tree_, c.set), assumption);
        core::set_path(tree,
                       comparison().vary.key + "=" + core::to_yaml(comparison().vary.values[i]));
        CellPlan cell{.scenario = simulation::read_scenario(tree, catalogue_), .published = {}};
        if (c.published) cell.published = c.published->training_time[i];
        row.cells.push_back(std::move(cell));
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  [[nodiscard]] std::vector<simulation::ComparisonCase> cases() const {
    if (!comparison().cases.empty() || !comparison().curves.empty()) return comparison().cases;
    return {{.name = name(), .set = {}, .published = {}}};
  }

  /// Number of simulations for all cases, curves and assumptions.
  [[nodiscard]] std::size_t num_cells() const {
    std::size_t rows = cases().size() * (1 + comparison().assumptions.size());
    for (const simulation::Curve& curve : comparison().curves) {
      rows += curve.along.values.size() * (1 + curve.variants.size());
    }
    return rows * comparison().vary.values.size();
  }

  void check() const {
    std::vector<core::Diagnostic> problems;
    const core::Location where = tree_.find("comparison")->where;
    if (comparison().vary.values.empty()) {
      problems.push_back({where, "comparison.vary.values", "needs at least one value", {}});
    }
    if (num_cells() > kMaxCells) {
      problems.push_back(
          {where, "comparison",
           fmt::format("{} simulations are more than the {} that a comparison may have",
                       num_cells(), kMaxCells),
           "`sweep` takes many points"});
    }
    for (const simulation::ComparisonCase& c : comparison().cases) {
      if (c.published && c.published->training_time.size() != comparison().vary.values.size()) {
        problems.push_back(
            {where,
             "comparison.cases",
             fmt::format("'{}' has {} published times for {} values", c.name,
                         c.published->training_time.size(), comparison().vary.values.size()),
             {}});
      }
    }
    const auto is_fitted = [&](const simulation::ComparisonCase& c) {
      return c.name == comparison().fitted_to && c.published;
    };
    if (!comparison().fitted_to.empty() && std::ranges::none_of(comparison().cases, is_fitted)) {
      problems.push_back({where,
                          "comparison.fitted_to",
                          fmt::format("no case '{}' with published times", comparison().fitted_to),
                          {}});
    }
    if (!problems.empty()) throw core::ConfigError(std::move(problems));
  }

  const core::Node& tree_;
  const core::Catalogue& catalogue_;
  simulation::CheckedScenario base_;
};

ComparisonCell run(const CellPlan& cell, simulation::Method method, const std::optional<Fit>& fit) {
  simulation::CheckedScenario scenario = cell.scenario;
  if (fit) {
    scenario.scenario.installation.compute_efficiency.value = fit->compute_efficiency;
    scenario.scenario.installation.nic_efficiency.value = fit->nic_efficiency;
  }
  return {simulate(scenario, {.method = method}), cell.published};
}

std::vector<ComparisonRow> run(const std::vector<RowPlan>& plans, simulation::Method method,
                               PiecesDone& simulated, const std::optional<Fit>& fit = {}) {
  std::vector<ComparisonRow> rows;
  std::vector<std::pair<const CellPlan*, ComparisonCell*>> cells;
  for (const RowPlan& plan : plans) {
    rows.push_back({.name = plan.name,
                    .source = plan.source,
                    .rounding = plan.rounding,
                    .fitted = plan.fitted,
                    .cells = std::vector<ComparisonCell>(plan.cells.size())});
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = 0; i < rows[row].cells.size(); ++i) {
      cells.emplace_back(&plans[row].cells[i], &rows[row].cells[i]);
    }
  }
  core::parallel_for(cells.size(), [&](std::size_t i) {
    *cells[i].second = run(*cells[i].first, method, fit);
    simulated.one_more();
  });
  return rows;
}

ErrorSummary summarize(const std::vector<ComparisonRow>& rows) {
  ErrorSummary summary;
  for (const ComparisonRow& row : rows) {
    for (const ComparisonCell& cell : row.cells) {
      const auto error = cell.relative_error();
      if (row.fitted || !error) continue;
      ++summary.num_cells;
      summary.mean_absolute += std::abs(*error);
      summary.largest_absolute = std::max(summary.largest_absolute, std::abs(*error));
    }
  }
  if (summary.num_cells > 0) summary.mean_absolute /= summary.num_cells;
  return summary;
}

std::vector<MeasuredRun> measurements_of(const std::vector<RowPlan>& plans) {
  std::vector<MeasuredRun> measurements;
  for (const RowPlan& plan : plans) {
    if (!plan.fitted) continue;
    for (const CellPlan& cell : plan.cells) {
      const auto steps = static_cast<double>(cell.scenario.scenario.workload.steps);
      measurements.push_back({.name = plan.name,
                              .source = plan.source,
                              .tree = {},
                              .scenario = cell.scenario,
                              .step_time = *cell.published / steps,
                              .standard_error = {}});
    }
  }
  return measurements;
}

AssumptionResult run_assumption(const Planner& planner, const simulation::Variant& assumption,
                                simulation::Method method, PiecesDone& simulated) {
  const auto plans = planner.rows(assumption.set);
  AssumptionResult result{.name = assumption.name,
                          .as_installed = run(plans, method, simulated),
                          .fit = {},
                          .why_no_fit = {},
                          .refitted = {},
                          .errors = {}};
  const auto fit = fit_installation(measurements_of(plans));
  if (const auto* no_fit = std::get_if<NoFit>(&fit)) {
    result.why_no_fit = no_fit->why;
    return result;
  }
  result.fit = std::get<Fit>(fit);
  result.refitted = run(plans, method, simulated, result.fit);
  result.errors = summarize(result.refitted);
  return result;
}

}  // namespace

std::optional<double> ComparisonCell::relative_error() const {
  if (!published || !result.feasible()) return {};
  return result.run.job().training_time() / *published - 1.0;
}

std::optional<core::Duration> ComparisonRow::effect(std::size_t i) const {
  if (!cells.front().result.feasible() || !cells[i].result.feasible()) return {};
  return cells[i].result.step_time - cells.front().result.step_time;
}

bool ComparisonResult::feasible() const {
  return std::ranges::all_of(rows, [](const ComparisonRow& row) {
    return std::ranges::all_of(row.cells,
                               [](const ComparisonCell& c) { return c.result.feasible(); });
  });
}

ComparisonResult compare(const core::Node& tree, const core::Catalogue& catalogue,
                         simulation::Method method, bool with_assumptions,
                         const ProgressFunction& progress) {
  const Planner planner(tree, catalogue);
  const simulation::Comparison& comparison = planner.comparison();
  ComparisonResult result;
  result.name = planner.name();
  result.setting = planner.setting();
  result.key = comparison.vary.key;
  for (const core::Node& value : comparison.vary.values) {
    result.values.push_back(core::to_yaml(value));
  }
  const std::vector<RowPlan> plans = planner.rows({});
  std::size_t num_cells = plans.size() * comparison.vary.values.size();
  if (with_assumptions) num_cells *= 1 + 2 * comparison.assumptions.size();
  PiecesDone simulated(progress, "cells", num_cells);
  result.rows = run(plans, method, simulated);
  result.errors = summarize(result.rows);
  result.curves = run_curves(tree, comparison, catalogue, method, progress);
  if (!with_assumptions) return result;
  result.assumptions.resize(comparison.assumptions.size());
  core::parallel_for(comparison.assumptions.size(), [&](std::size_t i) {
    result.assumptions[i] = run_assumption(planner, comparison.assumptions[i], method, simulated);
  });
  return result;
}

}  // namespace railwright::planner
