// SPDX-License-Identifier: Apache-2.0
// The next thing to try: of single changes of a job or its nodes the one that shortens a step most.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Changes that save less are not worth a line.
inline constexpr double kMinSaving = 0.01;

/// One setting, as for `--set`, and the step with it.
struct NextChange {
  std::string setting;
  core::Duration step_time;
  double saving = 0.0;  ///< of the step as it is, by the method that gave `step_time`
};

/// What became of the changes of one scenario.
struct ChangesTried {
  int num_tried = 0;  ///< those that are legal and fit into memory
  simulation::Method method = simulation::Method::kSimulate;  ///< that gave `best`
  std::optional<NextChange> best;  ///< nothing where none saves kMinSaving of the step
};

/// Settings that differ from the scenario in one key and train the same model with the same
/// batches: how the job is divided, what is computed again, what overlaps, and twice the NICs. Not
/// all of them are legal.
std::vector<std::string> single_changes(const simulation::Scenario& scenario);

/// Estimates the step of every single change by the closed form, and of a `result` that was
/// simulated simulates the most promising ones, so that `best` is what `simulate` says with that
/// setting. Of more than kMaxSimulated accelerators the closed form decides. Nothing is tried of a
/// design that does not fit or whose scenario gives the step time. Throws ConfigError.
ChangesTried next_change(const core::Node& tree, const core::Catalogue& catalogue,
                         const simulation::SimulationResult& result);

}  // namespace railwright::planner
