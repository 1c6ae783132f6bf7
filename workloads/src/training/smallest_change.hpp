// SPDX-License-Identifier: Apache-2.0
// The change to make if a job does not fit its accelerators' memory.
#pragma once

#include <optional>

#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// Returns the single change to micro-batch, recompute, ZeRO stage or parallelism that makes the
/// job fit the same accelerators with the shortest step; nothing if none does.
std::optional<FittingChange> smallest_change(const CheckedScenario& checked,
                                             const core::Fabric& fabric);

/// Returns the scenario with the change that smallest_change() found.
std::optional<CheckedScenario> with_smallest_change(const CheckedScenario& checked,
                                                    const FittingChange& smallest);

/// Returns the fewest front-end switches whose ports suffice, for a job that lacks nothing else;
/// nothing if no number does.
std::optional<FittingChange> more_front_end_switches(const CheckedScenario& checked);

}  // namespace railwright::simulation
