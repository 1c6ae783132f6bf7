// SPDX-License-Identifier: Apache-2.0
// The numbers of a result by their paths: JSON and validation read them.
#pragma once

#include <string>
#include <vector>

#include "railwright/simulation/results/result_column.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// Returns all numbers of training, in the order of the JSON.
const Numbers<SimulationResult>& result_numbers();
/// Returns the numbers of the load of the storage cluster over a run.
Numbers<StorageRun> storage_numbers();
/// Returns the numbers of the cost. A run that does not fit may have a cost, too.
Numbers<SimulationResult> cost_numbers();

/// Returns the numbers of a result; times and loads only if it is feasible.
std::vector<Output> outputs(const SimulationResult& result);
/// Returns the numbers of one job's run among several, with the paths of a single job's.
std::vector<Output> outputs(const JobRun& run);
std::vector<Output> outputs(const StorageRun& storage);

/// Returns the storage's load by bin of time, of which `time_s` is the start; no columns if it had
/// none.
std::vector<ResultColumn> load_columns(const StorageRun& storage);

/// Returns the key of a need in results: "checkpoint_stall".
std::string key_of(const StorageNeed& need);

}  // namespace railwright::simulation
