// SPDX-License-Identifier: Apache-2.0
// Inputs that all points of a sweep share.
#pragma once

#include "grid.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/workloads/kinds.hpp"
#include "row.hpp"

namespace railwright::planner {

struct SweepBase {
  const simulation::ScenarioKind& kind;
  const core::Node& tree;  ///< the scenario without the sections of verbs
  const core::Catalogue& catalogue;
  const Grid& grid;
  const SweepOptions& options;
};

/// Whether points share the tables of estimates. A service has no estimate: it is simulated.
inline bool uses_tables(const simulation::ScenarioKind& kind, const SweepOptions& options) {
  return simulation::is_training(kind) && options.method == simulation::Method::kEstimate;
}

/// Reads and simulates one point as `simulate` does.
void make_row_alone(const SweepBase& base, SweepRow& row);

}  // namespace railwright::planner
