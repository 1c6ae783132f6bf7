// SPDX-License-Identifier: Apache-2.0
// A forward pass alone: the trainer rates samples without learning from them.
#pragma once

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Returns the costs of a step without backward passes, gradients and optimizer. Parameters that
/// are divided over replicas are gathered for the forward pass.
StepCosts forward_alone(StepCosts costs);

}  // namespace railwright::simulation
