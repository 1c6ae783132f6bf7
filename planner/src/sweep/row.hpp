// SPDX-License-Identifier: Apache-2.0
// Fills the row of a point, and lists its columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/workloads/scenario_kind.hpp"

namespace railwright::planner {

/// Lists the columns after the inputs.
std::vector<SweepColumn> output_columns(const simulation::ScenarioKind& kind, bool with_run);
/// Returns the index of a column among a row's numbers.
std::size_t place_of(const simulation::ScenarioKind& kind, std::string_view column);
/// Appends the cells of these columns.
void output_cells(const SweepRow& row, const simulation::ScenarioKind& kind, bool with_run,
                  std::vector<SweepValue>& out);

/// Fills a row from the result of `simulate`.
void fill(const simulation::ResultView& result, const simulation::ScenarioKind& kind, bool with_run,
          SweepRow& row);
/// Fills the row of invalid input.
void fill(const std::vector<core::Diagnostic>& problems, SweepRow& row);

}  // namespace railwright::planner
