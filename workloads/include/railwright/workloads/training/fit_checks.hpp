// SPDX-License-Identifier: Apache-2.0
// Checks whether a design fits; the problems are sentences with both numbers.
#pragma once

#include <vector>

#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// Checks an accelerator's memory.
void check_memory(const models::MemoryUse& use, core::DataSize capacity,
                  std::vector<Infeasibility>& infeasible);
/// Checks the state that a node keeps outside its accelerators.
void check_tiers(const std::vector<models::TierUse>& tiers, std::vector<Infeasibility>& infeasible);

}  // namespace railwright::simulation
