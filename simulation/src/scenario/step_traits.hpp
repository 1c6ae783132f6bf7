// SPDX-License-Identifier: Apache-2.0
// Traits of a scenario's step, to compare it with published ones.
#pragma once

#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/simulation/scenario/provenance.hpp"

namespace railwright::simulation {

struct Scenario;

StepTraits step_traits(const Scenario& scenario, const models::Layout& layout,
                       const core::Catalogue& catalogue);

}  // namespace railwright::simulation
