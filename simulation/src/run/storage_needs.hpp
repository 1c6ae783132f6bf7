// SPDX-License-Identifier: Apache-2.0
// How many storage nodes each target takes.
#pragma once

#include <vector>

#include "railwright/simulation/run/run.hpp"

namespace railwright::simulation {

/// For each target the smallest number of storage nodes that holds it, found by halving between as
/// few and as many as the device allows, each on a fabric of its own.
std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets);

}  // namespace railwright::simulation
