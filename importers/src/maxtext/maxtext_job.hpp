// SPDX-License-Identifier: Apache-2.0
// Translates a configuration of MaxText. [@maxtext_config]
#pragma once

#include "../common/training_part.hpp"

namespace railwright::importers {

/// Adds the model, its parallelism, batches and what the stack does. Refuses a configuration in
/// which nothing decisive was read.
void add_maxtext_job(TrainingPart& part);

}  // namespace railwright::importers
