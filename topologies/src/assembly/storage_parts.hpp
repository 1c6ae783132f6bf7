// SPDX-License-Identifier: Apache-2.0
// What a storage cluster consists of, whichever network its clients reach it over.
#pragma once

#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// A shortfall where the device allows no cluster of so few or so many nodes.
void require_cluster_size(core::PartsList& parts, const StorageCluster& storage);

/// The network between storage nodes. Two switches share its ports evenly; no flow of a client is
/// on it, so it is counted and not drawn.
void add_back_end_parts(core::PartsList& parts, const StorageCluster& storage);

}  // namespace railwright::topologies
