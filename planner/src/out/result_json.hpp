// SPDX-License-Identifier: Apache-2.0
// A simulated scenario as a JSON object, for the documents of several verbs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "railwright/planner/verbs/simulate.hpp"

namespace railwright::planner {

nlohmann::ordered_json result_json(const SimulationResult& result);

}  // namespace railwright::planner
