// SPDX-License-Identifier: Apache-2.0
// Reads a cluster whose nodes may be of several kinds.
#pragma once

#include <cstddef>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/topologies/pools.hpp"

namespace railwright::topologies {
struct PooledCluster;
}  // namespace railwright::topologies

namespace railwright::simulation {

/// Whether the cluster of a scenario is written as pools.
bool has_pools(const core::Node& tree);

/// Returns the scenario with a pool's nodes and fabric as those of its cluster. Places in the file
/// stay as they were.
core::Node tree_of_pool(const core::Node& tree, std::size_t pool);

/// Names the key of a pool in a problem of the tree that tree_of_pool() returns.
core::Diagnostic at_pool(std::size_t pool, core::Diagnostic problem);

/// Reports what of `cluster`, read from `tree`, is missing or contradicts itself: nodes of one kind
/// need `nodes`, `node` and `fabric`, which pools exclude, as they do what names devices of one
/// fabric.
void check_pools(const core::Node& tree, const topologies::PooledCluster& cluster,
                 core::Reader& reader);

/// Reads the pools of a scenario's cluster and ignores all other keys; one without a name if its
/// nodes are of one kind. Throws ConfigError with every problem.
std::vector<topologies::Pool> read_pools(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
