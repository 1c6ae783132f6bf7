// SPDX-License-Identifier: Apache-2.0
// The numbers of a result that are about power and cost.
#pragma once

#include <vector>

#include "railwright/planner/verbs/outputs.hpp"

namespace railwright::planner {

std::vector<Output> outputs(const RunPower& power);
std::vector<Output> outputs(const RunCost& cost);

}  // namespace railwright::planner
