// SPDX-License-Identifier: Apache-2.0
// The front-end network: nodes' front-end NICs, front-end switches and storage nodes.
#pragma once

#include <span>

#include "railwright/topologies/assembly/front_end_plan.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// Adds nothing unless storage is on a front end. Else adds the switches, joined pairwise by
/// `peer_links`, and the storage nodes. The ports of the nodes' front-end NICs, then those of the
/// storage nodes, then those of control-plane and data-preparation nodes are dealt over the
/// switches in turn.
void add_storage_network(BuiltCluster& built, const Cluster& cluster,
                         std::span<const PluggedNodes> plugged);

}  // namespace railwright::topologies
