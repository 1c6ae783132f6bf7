// SPDX-License-Identifier: Apache-2.0
// Fills the row of a point, and lists its columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// Lists the columns after the inputs.
std::vector<SweepColumn> output_columns(SweepKind kind, bool with_run);
/// Returns the index of a column among a row's numbers.
std::size_t place_of(SweepKind kind, std::string_view column);
/// Returns the goals by which points of this kind are compared.
SweepGoals goals_of(SweepKind kind);
/// Appends the cells of these columns.
void output_cells(const SweepRow& row, SweepKind kind, bool with_run, std::vector<SweepValue>& out);

/// Fills a row from the result of `simulate`.
void fill(const simulation::SimulationResult& result, bool with_run, SweepRow& row);
void fill(const simulation::InferenceResult& result, bool with_run, SweepRow& row);
void fill(const simulation::QueueResult& result, SweepRow& row);
void fill(const simulation::JobsResult& result, SweepRow& row);
void fill(const simulation::PostTrainingResult& result, SweepRow& row);
/// Fills the row of invalid input.
void fill(const std::vector<core::Diagnostic>& problems, SweepRow& row);
/// Joins reasons in one line.
std::string joined(const std::vector<simulation::Infeasibility>& reasons);

}  // namespace railwright::planner
