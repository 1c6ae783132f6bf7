// SPDX-License-Identifier: Apache-2.0
// `compare`: runs the cases of a scenario's `comparison` side by side, against published times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/compare/curves.hpp"
#include "railwright/planner/compare/fit_installation.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// One value of the key that varies, in one case.
struct ComparisonCell {
  simulation::SimulationResult result;
  std::optional<core::Duration> published;

  /// predicted / published - 1, where both are there.
  [[nodiscard]] std::optional<double> relative_error() const;
};

struct ComparisonRow {
  std::string name;
  std::string source;       ///< source of the published times; empty without any
  core::Duration rounding;  ///< half of their last printed digit
  bool fitted = false;      ///< the case that the installation was fitted to
  std::vector<ComparisonCell> cells;

  /// Step time of cell `i` minus that of the first cell; nothing where either is infeasible.
  [[nodiscard]] std::optional<core::Duration> effect(std::size_t i) const;
};

/// Errors of the rows that the installation was not fitted to.
struct ErrorSummary {
  int num_cells = 0;
  double mean_absolute = 0.0;
  double largest_absolute = 0.0;
};

/// Comparison under one assumption that departs from the scenario.
struct AssumptionResult {
  std::string name;
  std::vector<ComparisonRow> as_installed;  ///< with the scenario's own installation
  std::optional<Fit> fit;                   ///< nothing where the fit has no solution
  std::string why_no_fit;
  std::vector<ComparisonRow> refitted;  ///< with the installation fitted again
  ErrorSummary errors;
};

struct ComparisonResult {
  std::string name;
  std::string setting;  ///< software and installation in words
  std::string key;
  std::vector<std::string> values;
  std::vector<ComparisonRow> rows;
  ErrorSummary errors;
  std::vector<AssumptionResult> assumptions;
  std::vector<CurveResult> curves;

  [[nodiscard]] bool feasible() const;
};

/// Runs every case at every value, and the assumptions if asked for. Throws ConfigError.
ComparisonResult compare(const core::Node& tree, const core::Catalogue& catalogue,
                         simulation::Method method = simulation::Method::kSimulate,
                         bool with_assumptions = true, const ProgressFunction& progress = {});

}  // namespace railwright::planner
