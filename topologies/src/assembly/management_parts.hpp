// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// Adds the switches and cables of the management network: a port for each switch among `machines`,
/// which may be the same list, each storage node and each node without accelerators, and
/// `ports_per_node` for each of `num_trays`: a node, or each of its trays. Does nothing without
/// one. Called last, when all switches are listed.
void add_management_parts(core::PartsList& parts, const core::PartsList& machines,
                          const Cluster& cluster, int num_trays);

}  // namespace railwright::topologies
