// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a step in closed form.
#pragma once

#include "railwright/simulation/step/breakdown.hpp"
#include "step_terms.hpp"

namespace railwright::simulation {

/// Computes the step whose pace is set by the stage that makes it longest. Allocates nothing.
Breakdown closed_form(const StepTerms& terms);

}  // namespace railwright::simulation
