// SPDX-License-Identifier: Apache-2.0
// Causes that may make a step slower or faster than predicted, before they are weighed.
#pragma once

#include <vector>

#include "railwright/planner/diagnose/diagnose.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/unstated.hpp"

namespace railwright::planner {

/// Lists settings that the scenario leaves to its profile, with the factors they have.
std::vector<SuspectedCause> unstated_suspects(
    const std::vector<simulation::UnstatedSetting>& settings);

/// Lists settings that may not be in force and faults that the scenario can have, without their
/// factors.
std::vector<SuspectedCause> other_suspects(const simulation::Scenario& scenario);

}  // namespace railwright::planner
