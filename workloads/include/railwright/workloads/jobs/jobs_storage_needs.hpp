// SPDX-License-Identifier: Apache-2.0
// Storage nodes that several jobs need, with steps that are known.
#pragma once

#include <vector>

#include "railwright/simulation/run/storage_needs.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {

/// Returns the needs of the jobs of `result` on storage nodes with other rates than those of
/// `known`. Steps take the times of the result, and put nothing on links of storage.
std::vector<StorageNeed> jobs_storage_needs(const CheckedJobs& checked, const JobsResult& result,
                                            const KnownNeeds& known);

}  // namespace railwright::simulation
