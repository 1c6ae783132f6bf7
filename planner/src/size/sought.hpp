// SPDX-License-Identifier: Apache-2.0
// Tells what the goals of a scenario look for, and until when.
#pragma once

#include <optional>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/scenario/goals.hpp"

namespace railwright::simulation {
struct Scenario;
}  // namespace railwright::simulation

namespace railwright::planner {

/// Stands for no deadline: thirty million years.
inline constexpr core::Duration kNoDeadline = core::Duration::from_base(1e15);

/// Returns what is looked for: as the goals say, else the smallest cluster with a deadline and the
/// soonest training without.
simulation::Sought sought(const simulation::Goals& goals);

/// Returns the time that there is: the deadline, the time between two days, or for the most tokens
/// the busy part of the years of ownership; nothing if there is none.
std::optional<core::Duration> time_there_is(const simulation::Scenario& scenario);

/// Lists what the goals lack for what they look for; `where` is their place.
std::vector<core::Diagnostic> goal_problems(const simulation::Scenario& scenario,
                                            const core::Location& where);

}  // namespace railwright::planner
