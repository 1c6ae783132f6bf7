// SPDX-License-Identifier: Apache-2.0
// The next thing to try: of single changes of a job or its nodes the one that shortens a step most.
#pragma once

#include <optional>
#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// Changes that save less of a step are not worth a line.
inline constexpr double kMinSaving = 0.01;
/// The closed form of a larger cluster takes longer than a simulation may take more unasked.
inline constexpr int kMaxChangedUnasked = 1024;

/// One setting, as for `--set`, and the step with it.
struct NextChange {
  std::string setting;
  core::Duration step_time;
  double saving = 0.0;  ///< of the step as it is, by the same method
};

struct ChangesTried {
  bool is_step_given = false;  ///< by the scenario, so that nothing shortens it
  int num_tried = 0;           ///< that are legal and fit into memory
  simulation::Method method = simulation::Method::kSimulate;  ///< that `best` comes from
  std::optional<NextChange> best;  ///< nothing where none saves kMinSaving
};

/// Estimates the step under changes of one key that leave model, batch and number of accelerators
/// as they are: how the job is divided, the micro-batch, what is computed again, what overlaps,
/// and twice the NICs. Of a `result` that was simulated the change is simulated too, so that
/// `best` is what `simulate` says with that setting; where that contradicts the closed form, the
/// next two are asked. Nothing is tried of a design that does not fit, or whose scenario gives the
/// step time. Throws ConfigError.
ChangesTried next_change(const core::Node& tree, const core::Catalogue& catalogue,
                         const simulation::SimulationResult& result,
                         const ProgressFunction& progress = {});

}  // namespace railwright::planner
