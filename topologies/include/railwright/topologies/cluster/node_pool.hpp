// SPDX-License-Identifier: Apache-2.0
// Pools: nodes of several kinds in one cluster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// Nodes of one kind with a scale-out fabric of their own.
struct NodePool {
  std::string name;
  int num_nodes = 0;
  core::ComputeNode node;
  core::Node fabric;

  static constexpr auto fields();
};

/// A cluster as it is written: nodes of one kind, by the keys of Cluster, or pools in place of
/// `nodes`, `node` and `fabric`. Everything else is shared by all pools.
struct PooledCluster : Cluster {
  std::optional<std::vector<NodePool>> pools;
  std::optional<core::Bandwidth> between_pools;

  static constexpr auto fields();
};

}  // namespace railwright::topologies
