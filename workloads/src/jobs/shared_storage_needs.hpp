// SPDX-License-Identifier: Apache-2.0
// Number of storage nodes that each target needs when several jobs share them.
#pragma once

#include <span>
#include <vector>

#include "railwright/simulation/run/storage_needs.hpp"
#include "run_jobs.hpp"

namespace railwright::simulation {

/// Returns, for each of the plan's targets, the smallest number of storage nodes that meets it:
///   checkpoint stall: the job that waits most, while all run and nothing fails
///   restore:          of all jobs at once, until the last has its checkpoint back, after a loss of
///                     power amid the time in which all have written one
///   capacity:         for the checkpoints to be kept of all jobs, and what else is on storage
/// Each number has a fabric and two runs of its own. With `known`, those needs that its rates give
/// already are not found again.
std::vector<StorageNeed> shared_storage_needs(const CheckedJobs& checked,
                                              std::span<const JobStep> steps,
                                              const KnownNeeds* known = nullptr);

}  // namespace railwright::simulation
