// SPDX-License-Identifier: Apache-2.0
// The numbers of a result by their paths: JSON and validation read them.
#pragma once

#include <string_view>
#include <vector>

#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::simulation {

/// Times and loads only where the scenario is feasible.
std::vector<Output> outputs(const SimulationResult& result);
/// Of one job of several: as those of its simulation that are about its run.
std::vector<Output> outputs(const JobRun& run);
std::vector<Output> outputs(const StorageRun& storage);

/// One number of the storage's load for each bin of time.
struct LoadColumn {
  std::string_view name;
  std::vector<double> values;
};
/// `time_s` is the start of a bin. None where storage saw nothing.
std::vector<LoadColumn> load_columns(const StorageRun& storage);

}  // namespace railwright::simulation
