// SPDX-License-Identifier: Apache-2.0
// What a sweep says of a point, and its columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/simulation/serving/serving.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Those behind the inputs.
std::vector<SweepColumn> output_columns(SweepKind kind, bool with_run);
/// Place among a row's numbers.
std::size_t place_of(SweepKind kind, std::string_view column);
/// What points of this kind are best at.
SweepGoals goals_of(SweepKind kind);
/// Appends the cells of these columns.
void output_cells(const SweepRow& row, SweepKind kind, bool with_run, std::vector<SweepValue>& out);

/// The row of what `simulate` gives.
void fill(const simulation::SimulationResult& result, bool with_run, SweepRow& row);
void fill(const simulation::InferenceResult& result, bool with_run, SweepRow& row);
/// The row of bad input.
void fill(const std::vector<core::Diagnostic>& problems, SweepRow& row);
/// In one line.
std::string joined(const std::vector<simulation::Infeasibility>& reasons);

}  // namespace railwright::planner
