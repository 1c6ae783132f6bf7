// SPDX-License-Identifier: Apache-2.0
// Checks of storage nodes and of the network that leads to them.
#pragma once

#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::simulation {

/// Nodes that need a front end are checked without storage, too.
std::vector<core::Problem> storage_problems(const core::Node& tree,
                                            const topologies::Cluster& cluster);

}  // namespace railwright::simulation
