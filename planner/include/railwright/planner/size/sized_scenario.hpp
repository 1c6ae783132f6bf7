// SPDX-License-Identifier: Apache-2.0
// Result of `size` for a service, a queue of jobs or the storage of several.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::planner {

/// A scenario on the fewest nodes, or storage nodes, that do what is wanted, and why fewer do not.
struct SizedScenario {
  std::vector<std::string> settings;  ///< as for `--set`
  core::Node scenario;                ///< with these settings
  simulation::AnyResult result;       ///< of it; says what is missing if no number of nodes does
  std::string smaller;                ///< what a smaller one misses; empty if there is none
  std::vector<HangsOn> hangs_on = {};

  [[nodiscard]] bool feasible() const { return simulation::is_feasible(result); }
};

}  // namespace railwright::planner
