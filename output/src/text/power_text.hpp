// SPDX-License-Identifier: Apache-2.0
// Power, energy and cost of a run, as text.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/simulation/training/run_cost.hpp"
#include "railwright/simulation/training/run_power.hpp"

namespace railwright::output {

std::string power_text(const simulation::RunPower& power, const TextStyle& style);
std::string cost_text(const simulation::RunCost& cost, const TextStyle& style);

}  // namespace railwright::output
