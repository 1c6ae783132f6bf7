// SPDX-License-Identifier: Apache-2.0
// Weights of the objective: the value of a second of each cause of a step.
#pragma once

#include <array>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/models/money/ownership.hpp"
#include "railwright/simulation/scenario/search_space.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::simulation {
struct CheckedScenario;
}  // namespace railwright::simulation

namespace railwright::planner {

/// Weight of a second by cause: 1 for throughput and memory, joules of the building for energy, USD
/// of ownership for cost. Energy and cost are linear in a breakdown, so weights suffice.
using ObjectiveRates = std::array<double, simulation::kCauses.size()>;

/// Computes the weights; the objective cost needs prices in the scenario.
ObjectiveRates objective_rates(const simulation::CheckedScenario& checked,
                               simulation::Objective objective);

/// Returns the cost of ownership of the cluster while it computes; needs prices in the scenario.
models::Ownership ownership_of(const simulation::CheckedScenario& checked);

/// Returns the objective of a whole breakdown.
double value_of(const ObjectiveRates& rates, const simulation::Breakdown& breakdown);

}  // namespace railwright::planner
