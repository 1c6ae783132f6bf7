// SPDX-License-Identifier: Apache-2.0
// What the step of a job on a part of a cluster puts on the NICs of its nodes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::simulation {

/// By NIC and cable of the nodes, in order: sent and received.
using NicBytes = std::vector<std::array<double, 2>>;

/// Of a fabric of these nodes alone; nothing of nothing.
NicBytes nic_bytes(const core::Fabric& part, std::span<const double> link_bytes);

/// By link of the fabric of all nodes, for those from `first_node` on. What a step puts on links
/// between switches is left out: they are other ones there.
std::vector<double> link_bytes(const core::Fabric& whole, int first_node, const NicBytes& bytes);

}  // namespace railwright::simulation
