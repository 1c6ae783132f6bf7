// SPDX-License-Identifier: Apache-2.0
// Number of storage nodes that each target needs.
#pragma once

#include <vector>

#include "railwright/simulation/run/run.hpp"

namespace railwright::simulation {

/// Returns, for each target, the smallest number of storage nodes that meets it, by bisection
/// between the numbers that the device allows. Each number has a fabric of its own.
std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets);

}  // namespace railwright::simulation
