// SPDX-License-Identifier: Apache-2.0
// `simulate` for scenarios that come again and again with the same steps.
#pragma once

#include "railwright/simulation/step/known_steps.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// Return what simulate() and simulate_without_run() do. Events of steps that `known` has are left
/// out.
SimulationResult simulate(const CheckedScenario& checked, KnownSteps& known);
SimulationResult simulate_without_run(const CheckedScenario& checked,
                                      const topologies::BuiltCluster& built, KnownSteps& known);

}  // namespace railwright::simulation
