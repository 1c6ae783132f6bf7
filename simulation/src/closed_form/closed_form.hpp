// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a step in closed form.
#pragma once

#include "railwright/simulation/step/breakdown.hpp"
#include "step_terms.hpp"

namespace railwright::simulation {

/// The step as it is when the stage sets the pace that makes the longest one. Allocates nothing.
Breakdown closed_form(const StepTerms& terms);

}  // namespace railwright::simulation
