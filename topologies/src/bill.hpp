// SPDX-License-Identifier: Apache-2.0
// The bill of a finished fabric, counted from its links.
#pragma once

#include <span>

#include "scale_out.hpp"

namespace railwright::topologies {

/// Fills `built.parts.fabric`, with the front-end network's switches and cables.
void add_bill(BuiltCluster& built, const Cluster& cluster, std::span<const PlacedSwitch> switches);

}  // namespace railwright::topologies
