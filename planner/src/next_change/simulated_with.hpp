// SPDX-License-Identifier: Apache-2.0
// A scenario with one setting more, simulated whole.
#pragma once

#include <optional>
#include <string>

#include "railwright/planner/progress.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::planner {

/// Returns what `simulate` says of the scenario with a setting; nothing if a rule forbids it or it
/// does not fit.
std::optional<simulation::AnyResult> simulated_with(core::Node tree,
                                                    const core::Catalogue& catalogue,
                                                    const std::string& setting,
                                                    simulation::Method method,
                                                    const ProgressFunction& progress);

}  // namespace railwright::planner
