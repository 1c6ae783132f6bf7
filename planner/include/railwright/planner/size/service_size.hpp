// SPDX-License-Identifier: Apache-2.0
// `size` for a service: a load and its latencies in, nodes out.
#pragma once

#include "railwright/planner/size/sized_scenario.hpp"

namespace railwright::planner {

/// Finds the fewest nodes that carry the load, with their division and batch. Tries all of these,
/// as search_service() does, on as many nodes as they need, whatever `cluster.nodes` says. Throws
/// ConfigError if no load is wanted.
SizedScenario size_service(const core::Node& tree, const core::Catalogue& catalogue,
                           const SizeOptions& options = {});

}  // namespace railwright::planner
