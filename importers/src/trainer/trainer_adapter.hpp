// SPDX-License-Identifier: Apache-2.0
// Which weights a trainer trains: all, or adapters beside them.
#pragma once

#include "../common/training_part.hpp"
#include "trainer_program.hpp"

namespace railwright::importers {

/// Adds workload.lora, and what of the way of training a scenario cannot say.
void add_trained_weights(TrainingPart& part, const TrainerProgram& program);

}  // namespace railwright::importers
