// SPDX-License-Identifier: Apache-2.0
// Computation of the layers of a model in a step, without any transfer.
#pragma once

#include "railwright/models/compute/compute.hpp"

namespace railwright::simulation {

struct CheckedScenario;

/// Returns the computation of one layer of each kind, and of all blocks of a vision model.
models::ComputeCost layer_computation(const CheckedScenario& checked);

}  // namespace railwright::simulation
