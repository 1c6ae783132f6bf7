// SPDX-License-Identifier: Apache-2.0
// Writes configurations as settings of a scenario.
#pragma once

#include <string>
#include <vector>

#include "railwright/simulation/estimator/estimator.hpp"

namespace railwright::planner {

/// Lists `path=value` for all that differs in `made`, as for `--set`.
std::vector<std::string> settings_between(const simulation::Configuration& base,
                                          const simulation::Configuration& made);

}  // namespace railwright::planner
