// SPDX-License-Identifier: Apache-2.0
// What of a design does not fit, in sentences with both numbers.
#pragma once

#include <vector>

#include "railwright/simulation/training/simulate.hpp"

namespace railwright::simulation {

/// An accelerator's memory.
void check_memory(const models::MemoryUse& use, core::DataSize capacity,
                  std::vector<Infeasibility>& infeasible);
/// What a node keeps outside its accelerators.
void check_tiers(const std::vector<models::TierUse>& tiers, std::vector<Infeasibility>& infeasible);

}  // namespace railwright::simulation
