// SPDX-License-Identifier: Apache-2.0
// What a scenario's step has in common with published ones.
#pragma once

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

StepTraits step_traits(const Scenario& scenario, const models::Layout& layout,
                       const core::Catalogue& catalogue);

}  // namespace railwright::simulation
