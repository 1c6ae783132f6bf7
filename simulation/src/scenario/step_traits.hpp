// SPDX-License-Identifier: Apache-2.0
// Traits of a scenario's step, to compare it with published ones.
#pragma once

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

StepTraits step_traits(const Scenario& scenario, const models::Layout& layout,
                       const core::Catalogue& catalogue);

}  // namespace railwright::simulation
