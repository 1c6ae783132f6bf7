// SPDX-License-Identifier: Apache-2.0
// Parts of a storage cluster, for either network of its clients.
#pragma once

#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// Counts the nodes of the first pool and of the archive.
void add_storage_nodes(core::PartsList& parts, const StorageCluster& storage);

/// Adds a shortfall if the device does not allow a cluster of so few or so many nodes.
void require_cluster_size(core::PartsList& parts, const StorageCluster& storage);

/// Counts the network between storage nodes, without drawing it: no flow of a client uses it. Two
/// switches share its ports evenly.
void add_back_end_parts(core::PartsList& parts, const StorageCluster& storage);

}  // namespace railwright::topologies
