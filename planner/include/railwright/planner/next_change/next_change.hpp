// SPDX-License-Identifier: Apache-2.0
// Finds the single change to a job or its nodes that shortens a step most.
#pragma once

#include <optional>
#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Share of a step that a change must save to be reported.
inline constexpr double kMinSaving = 0.01;
/// Accelerators above which no change is tried unasked: the closed form would take longer than a
/// simulation may add.
inline constexpr int kMaxChangedUnasked = 1024;

/// A setting, as for `--set`, and the step with it.
struct NextChange {
  std::string setting;
  core::Duration step_time;
  double saving = 0.0;  ///< share of the unchanged step, by the same method
};

struct ChangesTried {
  bool is_step_given = false;  ///< the scenario gives the step time, so no change shortens it
  int num_tried = 0;           ///< legal changes that fit into memory
  simulation::Method method = simulation::Method::kSimulate;  ///< method that `best` comes from
  std::optional<NextChange> best;  ///< nothing where none saves kMinSaving
};

/// Estimates the step under changes of one key that keep model, batch and number of accelerators:
/// parallelism, micro-batch, ZeRO stage, recompute, overlaps, and twice the NICs. If `result` was
/// simulated, the best change is simulated too, so that `best` is what `simulate` says with that
/// setting. If simulation contradicts the closed form, the next two are tried. Tries nothing for a
/// design that does not fit, or whose scenario gives the step time. Throws ConfigError.
ChangesTried next_change(const core::Node& tree, const core::Catalogue& catalogue,
                         const simulation::SimulationResult& result,
                         const ProgressFunction& progress = {});

}  // namespace railwright::planner
