// SPDX-License-Identifier: Apache-2.0
// Writes configurations as settings of a scenario.
#pragma once

#include <string>
#include <vector>

#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

/// Lists the `path=value` that make `scenario` the configuration `made`, as for `--set`.
std::vector<std::string> settings_between(const simulation::CheckedScenario& scenario,
                                          const simulation::Configuration& made);

}  // namespace railwright::planner
