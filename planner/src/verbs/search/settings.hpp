// SPDX-License-Identifier: Apache-2.0
// Configurations as settings of a scenario.
#pragma once

#include <string>
#include <vector>

#include "railwright/planner/estimate/estimator.hpp"

namespace railwright::planner {

/// `path=value` of all that differs in `made`, as for `--set`.
std::vector<std::string> settings_between(const Configuration& base, const Configuration& made);

}  // namespace railwright::planner
