// SPDX-License-Identifier: Apache-2.0
// Traffic of steps on links that storage uses.
#pragma once

#include <span>
#include <vector>

#include "run_model.hpp"

namespace railwright::simulation {

/// Adds the traffic to the reads of each job's steps in the newest state of the storage: seconds of
/// a link for each unit, at most the step's own time, which includes the waits within the step.
/// Leaves out links that no transfer uses. Sets the bytes that a step sends from the NICs its
/// checkpoint uses, so that the two share them evenly.
void add_step_loads(std::span<const RunJob> jobs, const core::Fabric& fabric,
                    std::span<const models::StorageLink> links, std::vector<JobModel>& models);

}  // namespace railwright::simulation
