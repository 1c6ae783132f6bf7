// SPDX-License-Identifier: Apache-2.0
// Changes of a cluster or of a recipe that keep the number of accelerators.
#pragma once

#include <vector>

#include "railwright/simulation/estimator/moves.hpp"
#include "railwright/workloads/training/unstated.hpp"

namespace railwright::planner {

/// Returns twice the NICs of a node, if there are accelerators for them; else nothing.
std::vector<simulation::Change> changes_of_nics(const simulation::Scenario& scenario);

/// Returns the values of other stacks that make a step faster, of settings that nobody stated and
/// that a user may choose without another result of the training.
std::vector<simulation::Change> changes_of_unstated(
    const std::vector<simulation::UnstatedSetting>& settings);

}  // namespace railwright::planner
