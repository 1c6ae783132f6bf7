// SPDX-License-Identifier: Apache-2.0
// Storage nodes that the targets of a run need; a detail of the run, which their trials run again.
#pragma once

#include <vector>

#include "railwright/simulation/run/run.hpp"

namespace railwright::simulation {

/// Returns the nodes that each of the plan's targets needs; nothing without storage or targets.
std::vector<StorageNeed> run_needs(const RunJob& job, const RunPlan& plan);

}  // namespace railwright::simulation
