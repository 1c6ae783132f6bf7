// SPDX-License-Identifier: Apache-2.0
// Checks that some group of a step can run the all-reduce algorithm that the scenario names.
#pragma once

#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::simulation {

struct Scenario;

/// Reports an algorithm for groups within a node if all groups span nodes: it would silently change
/// nothing.
std::vector<core::Problem> group_problems(const Scenario& scenario, const models::Layout& layout);

}  // namespace railwright::simulation
