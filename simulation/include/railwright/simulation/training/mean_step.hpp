// SPDX-License-Identifier: Apache-2.0
// The time of a step alone, as simulate() finds it.
#pragma once

#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/training/simulate.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {

/// Returns the step time that simulate() gives to a design that fits: on scattered nodes the mean
/// over draws of their places, the first of which is `built`.
core::Duration mean_step_time(const CheckedScenario& checked, const topologies::BuiltCluster& built,
                              const SimulateOptions& options);

}  // namespace railwright::simulation
