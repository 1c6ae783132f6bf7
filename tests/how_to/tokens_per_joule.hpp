// SPDX-License-Identifier: Apache-2.0
// A number of its own, added as the how-to says.
#pragma once

#include <vector>

#include "railwright/simulation/results/result_number.hpp"

namespace railwright::simulation {

std::vector<ResultNumber> tokens_per_joule();

}  // namespace railwright::simulation
