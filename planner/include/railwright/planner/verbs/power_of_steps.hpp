// SPDX-License-Identifier: Apache-2.0
// Power of configurations that have a breakdown and no run.
#pragma once

#include "railwright/planner/verbs/run_power.hpp"

namespace railwright::planner {

/// As run_power, of a run that is its steps alone.
RunPower power_of_steps(const Scenario& scenario, const core::PartsList& parts,
                        const Breakdown& breakdown);

}  // namespace railwright::planner
