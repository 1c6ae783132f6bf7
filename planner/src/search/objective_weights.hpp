// SPDX-License-Identifier: Apache-2.0
// What a second of a step counts for, by what it is spent on.
#pragma once

#include <array>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::planner {

/// By cause: 1 where time is the objective, joules of the building or USD of ownership where these
/// are. Both are sums over a breakdown, so that the rates of its causes say all.
using ObjectiveRates = std::array<double, simulation::kCauses.size()>;

/// Of an objective other than memory; of cost the scenario has prices.
ObjectiveRates objective_rates(const simulation::CheckedScenario& checked,
                               simulation::Objective objective);

/// Of a whole breakdown.
double value_of(const ObjectiveRates& rates, const simulation::Breakdown& breakdown);

}  // namespace railwright::planner
