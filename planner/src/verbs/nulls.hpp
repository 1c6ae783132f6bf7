// SPDX-License-Identifier: Apache-2.0
// What a row would be guessed at without any model of it.
#pragma once

#include <vector>

#include "railwright/planner/verbs/validate.hpp"

namespace railwright::planner {

/// Fills both null models of every training row of the quantity step_time; see ErrorGroup.
void add_null_models(std::vector<ValidationCase>& cases);

}  // namespace railwright::planner
