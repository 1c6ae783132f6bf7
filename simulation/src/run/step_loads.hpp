// SPDX-License-Identifier: Apache-2.0
// What steps put on links that storage is on.
#pragma once

#include <span>
#include <vector>

#include "run_model.hpp"

namespace railwright::simulation {

/// Adds it to the reads of each job's steps in the newest state of the storage: seconds of a link
/// for each unit, no more than the step takes, since its own time has the waits within the step.
/// Links that no transfer is on are left out. Bytes that a step sends from the NICs that its
/// checkpoint leaves by are those by which the two share them evenly.
void add_step_loads(std::span<const RunJob> jobs, const core::Fabric& fabric,
                    std::span<const models::StorageLink> links, std::vector<JobModel>& models);

}  // namespace railwright::simulation
