// SPDX-License-Identifier: Apache-2.0
// What a row would be guessed at without any model of it.
#pragma once

#include <string>
#include <vector>

#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Products in as many bits (fp16 and bf16 are one class), of tokens or of images.
std::string work_class(const TrainingFacts& facts);

/// Fills both null models of every training row of the quantity step_time, and that of every row of
/// a product; see ErrorGroup.
void add_null_models(std::vector<ValidationCase>& cases);

}  // namespace railwright::validation
