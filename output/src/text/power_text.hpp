// SPDX-License-Identifier: Apache-2.0
// Power, energy and cost of a run, as text.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::output {

std::string power_text(const simulation::RunPower& power, const TextStyle& style);
/// Returns the line of accelerators that a cap slows; empty for a clock of 1.
std::string power_cap_text(double clock);
/// Requires a result that has a cost.
std::string cost_text(const simulation::SimulationResult& result, const TextStyle& style);

}  // namespace railwright::output
