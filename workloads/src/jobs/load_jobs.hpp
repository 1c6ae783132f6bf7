// SPDX-License-Identifier: Apache-2.0
// Loads on the storage as jobs: steps that only read, and checkpoints of a size that is given.
#pragma once

#include "railwright/core/config/reader.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {

/// Reports what a load lacks, and keys that have no place beside it; `path` is that of its entry.
void check_load(const core::Node& entry, const JobOfMany& job, const std::string& path,
                core::Reader& reader);

/// Returns the entry as one of a small training on so many accelerators, which shape_load() makes
/// the load of.
core::Node as_training(const core::Node& entry, int num_accelerators);

/// Gives the training of as_training() the reads and writes of the load.
void shape_load(const StorageLoad& load, CheckedScenario& checked);

/// Removes what a load has no use for from its complete entry.
void keep_load_alone(core::Node& entry);

}  // namespace railwright::simulation
