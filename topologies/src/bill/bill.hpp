// SPDX-License-Identifier: Apache-2.0
// The bill of a finished fabric, counted from its links.
#pragma once

#include <span>

#include "../cluster/placed_switch.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// Fills `built.parts.fabric`, with the front-end network's switches and cables.
void add_bill(BuiltCluster& built, const Cluster& cluster, std::span<const PlacedSwitch> switches);

}  // namespace railwright::topologies
