// SPDX-License-Identifier: Apache-2.0
// Configurations as settings of a scenario.
#pragma once

#include <string>
#include <vector>

#include "railwright/simulation/estimator/estimator.hpp"

namespace railwright::planner {

/// `path=value` of all that differs in `made`, as for `--set`.
std::vector<std::string> settings_between(const simulation::Configuration& base,
                                          const simulation::Configuration& made);

}  // namespace railwright::planner
