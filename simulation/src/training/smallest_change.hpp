// SPDX-License-Identifier: Apache-2.0
// What to change where a job does not fit its accelerators' memory.
#pragma once

#include <optional>

#include "railwright/simulation/training/simulate.hpp"

namespace railwright::simulation {

/// Of the single changes to micro-batch, recompute, ZeRO stage and parallelism that make the job
/// fit the same accelerators, the one with the shortest step; nothing where none does.
std::optional<FittingChange> smallest_change(const CheckedScenario& checked,
                                             const core::Fabric& fabric);

}  // namespace railwright::simulation
