// SPDX-License-Identifier: Apache-2.0
// `size` for a queue of jobs: a wait in, nodes out.
#pragma once

#include "railwright/planner/size/sized_scenario.hpp"

namespace railwright::planner {

/// Finds a number of nodes with which `queue.max_wait` holds and without one of which it does not,
/// whatever `cluster.nodes` says: upwards from what all jobs take if none waits, then by halves.
/// More nodes rarely make jobs wait longer, so that it is the least, or nearly. Throws ConfigError
/// if no wait is wanted, and core::Interrupted.
SizedScenario size_queue(const core::Node& tree, const core::Catalogue& catalogue,
                         const SizeOptions& options = {});

}  // namespace railwright::planner
