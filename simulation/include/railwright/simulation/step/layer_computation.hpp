// SPDX-License-Identifier: Apache-2.0
// Computation of the layers of a model in a step, without any transfer.
#pragma once

#include "railwright/models/compute/compute.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// Returns the computation of one layer of each kind, and of all blocks of a vision model.
models::ComputeCost layer_computation(const CheckedScenario& checked);

}  // namespace railwright::simulation
