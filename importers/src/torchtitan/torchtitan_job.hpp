// SPDX-License-Identifier: Apache-2.0
// Translates the job configuration of torchtitan. [@torchtitan_config]
#pragma once

#include "../common/training_part.hpp"

namespace railwright::importers {

/// Adds the model, its parallelism, batches and what the stack does. Refuses a configuration in
/// which nothing decisive was read.
void add_torchtitan_job(TrainingPart& part);

}  // namespace railwright::importers
