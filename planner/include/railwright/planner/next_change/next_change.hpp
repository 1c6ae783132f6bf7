// SPDX-License-Identifier: Apache-2.0
// Finds the single change to a job or its nodes that shortens its training most.
#pragma once

#include <optional>
#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// Share of a training time that a change must save to be reported.
inline constexpr double kMinSaving = 0.01;
/// Accelerators above which no change is tried unasked: the closed form would take longer than a
/// simulation may add.
inline constexpr int kMaxChangedUnasked = 1024;
/// Most changes that are simulated whole, if the closed form was wrong about the first.
inline constexpr int kMaxSimulated = 3;

/// A setting, as for `--set`, and what the scenario gives with it.
struct NextChange {
  std::string setting;
  core::Duration training_time;  ///< the mean, as `simulate` prints it
  core::Duration step_time;
  double saving = 0.0;       ///< share of the unchanged training time, by the same method
  double step_saving = 0.0;  ///< share of the unchanged step; below 0 if the step gets longer
};

struct ChangesTried {
  bool is_step_given = false;    ///< the scenario gives the step time, so no change shortens it
  int num_tried = 0;             ///< legal changes that fit into memory
  int num_simulated = 0;         ///< those of them whose whole run `method` has been asked for
  bool are_more_faster = false;  ///< more of them are faster in closed form, and were not asked
  simulation::Method method = simulation::Method::kSimulate;  ///< method that `best` comes from
  std::optional<NextChange> best;  ///< nothing where none saves kMinSaving
};

/// Ranks changes of one key that keep model, batch and number of accelerators (parallelism,
/// micro-batch, ZeRO stage, recompute, overlaps, and twice the NICs) by the training time that the
/// closed form gives them, checkpoints and reads of data included. The best is then simulated
/// whole by the method of `result`, failures included, so that `best` is what `simulate` says with
/// that setting; if it does not shorten the training by kMinSaving, the next two are asked. Tries
/// nothing for a design that does not fit, or whose scenario gives the step time. Throws
/// ConfigError.
ChangesTried next_change(const core::Node& tree, const core::Catalogue& catalogue,
                         const simulation::SimulationResult& result,
                         const ProgressFunction& progress = {});

}  // namespace railwright::planner
