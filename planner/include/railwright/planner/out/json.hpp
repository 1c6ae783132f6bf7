// SPDX-License-Identifier: Apache-2.0
// Results as JSON text: snake_case keys with a unit suffix, SI base units.
#pragma once

#include <string>

#include "railwright/planner/verbs/simulate.hpp"

namespace railwright::planner {

std::string to_json(const SimulationResult& result);

}  // namespace railwright::planner
