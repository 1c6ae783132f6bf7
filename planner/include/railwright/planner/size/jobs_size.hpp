// SPDX-License-Identifier: Apache-2.0
// `size` for several jobs: what their storage should hold in, storage nodes out.
#pragma once

#include "railwright/planner/size/sized_scenario.hpp"

namespace railwright::planner {

/// Finds the fewest storage nodes with which `run.targets` hold for all jobs together, whatever
/// `cluster.storage.count` says. Throws ConfigError if no target is given.
SizedScenario size_jobs(const core::Node& tree, const core::Catalogue& catalogue,
                        const SizeOptions& options = {});

}  // namespace railwright::planner
