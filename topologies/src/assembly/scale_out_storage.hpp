// SPDX-License-Identifier: Apache-2.0
// Storage nodes on the leaves of the scale-out fabric.
#pragma once

#include <span>

#include "../cluster/placed_switch.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// Cables the ports of the storage nodes to the leaves of all planes in turn. Skips a leaf without
/// a free port, unless all are full: then ports are missing.
void add_storage_on_leaves(BuiltCluster& built, const StorageCluster& storage,
                           std::span<PlacedSwitch> switches, int num_planes);

}  // namespace railwright::topologies
