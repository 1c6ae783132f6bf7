// SPDX-License-Identifier: Apache-2.0
// Builds the model of a run from its jobs.
#pragma once

#include <span>

#include "run_model.hpp"

namespace railwright::simulation {

/// Returns the room that datasets of known size take on storage, in addition to the files of
/// others. Copies of a job share one dataset.
double room_of_datasets(std::span<const RunJob> jobs, const topologies::StorageCluster& storage);

/// Builds the model; fills `result` with one checkpoint and one restore of each job in isolation.
RunModel run_model(std::span<const RunJob> jobs, const core::Fabric& fabric, const RunPlan& plan,
                   RunResult& result);

}  // namespace railwright::simulation
