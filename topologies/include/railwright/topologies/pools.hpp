// SPDX-License-Identifier: Apache-2.0
// Builds a cluster of several kinds of nodes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

class Topology;

/// Nodes of one kind, with what they share with the other pools. A cluster of one kind is one pool
/// without a name.
struct Pool {
  std::string name;
  Cluster cluster;
  std::shared_ptr<const Topology> topology;
  int first_node = 0;  ///< among the nodes of all pools
};

/// Builds the whole cluster. One pool is built as Topology::build() does. Of several, `fabric` is
/// the front end, which is all that pools share: front-end NICs of all nodes, pool by pool, and
/// storage. `parts` are those of all pools with the front end and the management network; tiers,
/// ends of cables and shortfalls begin with the name of their pool. Racks of the front end are as
/// those of the tallest nodes.
BuiltCluster build(std::span<const Pool> pools);

/// Builds the nodes and the scale-out fabric of a pool, without what all pools share.
BuiltCluster build_alone(const Pool& pool);

/// The parts of each pool, and the front end and the management network that they share.
struct BuiltPools {
  std::vector<core::PartsList> parts;
  BuiltCluster shared;
};

/// Builds each pool alone, and what they share; of one kind of node too, whose storage must then be
/// on a front end.
BuiltPools build_apart(std::span<const Pool> pools);

}  // namespace railwright::topologies
