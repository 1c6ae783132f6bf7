// SPDX-License-Identifier: Apache-2.0
// Power, energy and cost of a run, as text.
#pragma once

#include <string>

#include "railwright/planner/out/table.hpp"
#include "railwright/planner/verbs/run_cost.hpp"
#include "railwright/planner/verbs/run_power.hpp"

namespace railwright::planner {

std::string power_text(const RunPower& power, const TextStyle& style);
std::string cost_text(const RunCost& cost, const TextStyle& style);

}  // namespace railwright::planner
