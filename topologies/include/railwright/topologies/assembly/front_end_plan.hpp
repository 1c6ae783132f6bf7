// SPDX-License-Identifier: Apache-2.0
// The number of switches of a front end, and how they are joined.
#pragma once

#include <span>

#include "railwright/core/hardware/node.hpp"
#include "railwright/topologies/assembly/node_wiring.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// Nodes of one kind that are plugged into a front end, each with such NICs.
struct PluggedNodes {
  const core::NicSet* front_end = nullptr;
  std::span<const WiredNode> nodes;

  [[nodiscard]] int num_ports() const {
    return static_cast<int>(nodes.size()) * front_end->count * front_end->nic.num_ports;
  }
};

/// Switches of a front end.
struct FrontEndPlan {
  int num_leaves = 0;  ///< switches that devices are plugged into
  int num_spines = 0;  ///< 0: the leaves are joined to one another
  int peer_links = 0;  ///< between each two leaves, or of a leaf to each spine
};

/// Returns the switches of a front end, which the cluster must have, for nodes of all kinds. Those
/// of wiring `joined` are as given. Of wiring `leaf_spine` there are as few leaves as nodes and
/// storage nodes can be plugged into, and the spines that let all ports of storage or of nodes,
/// whichever carry less, send at full rate to other leaves:
///
///     uplinks of a leaf = min(rate of the nodes' ports, of storage's ports) / leaves / port rate
///
/// two spines at least. Where a spine has fewer ports than that takes leaves, there are as many
/// leaves as it has ports, and ports are missing.
FrontEndPlan front_end_plan(const Cluster& cluster, std::span<const PluggedNodes> plugged);

}  // namespace railwright::topologies
