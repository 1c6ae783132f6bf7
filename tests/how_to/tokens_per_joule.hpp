// SPDX-License-Identifier: Apache-2.0
// A number of its own, added as the how-to says.
#pragma once

#include "railwright/simulation/results/result_number.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

Numbers<SimulationResult> tokens_per_joule();

}  // namespace railwright::simulation
