// SPDX-License-Identifier: Apache-2.0
// The numbers of a result that are about power and cost.
#pragma once

#include <vector>

#include "railwright/simulation/results/output.hpp"
#include "railwright/simulation/training/run_cost.hpp"
#include "railwright/simulation/training/run_power.hpp"

namespace railwright::simulation {

std::vector<Output> outputs(const RunPower& power);
std::vector<Output> outputs(const RunCost& cost);

}  // namespace railwright::simulation
