// SPDX-License-Identifier: Apache-2.0
// Predicts rows by baselines, without a model.
#pragma once

#include <string>
#include <vector>

#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Names a class of rows: products in as many bits (fp16 and bf16 alike), of tokens or of images.
std::string work_class(const TrainingFacts& facts);

/// Fills both baselines of every training row of the quantity step_time, and that of every row of a
/// product; see ErrorGroup.
void add_null_models(std::vector<ValidationCase>& cases);

}  // namespace railwright::validation
