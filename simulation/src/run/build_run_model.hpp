// SPDX-License-Identifier: Apache-2.0
// From the jobs of a run to what its events need.
#pragma once

#include <span>

#include "run_model.hpp"

namespace railwright::simulation {

/// What datasets of a known size take of it, beside the files of others. Copies of a job share one.
double room_of_datasets(std::span<const RunJob> jobs, const topologies::StorageCluster& storage);

/// Fills what `jobs` say of one checkpoint and one restore by themselves into `result`.
RunModel run_model(std::span<const RunJob> jobs, const core::Fabric& fabric, const RunPlan& plan,
                   RunResult& result);

}  // namespace railwright::simulation
