// SPDX-License-Identifier: Apache-2.0
// Bytes that the step of a job on a part of a cluster puts on the NICs of its nodes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::simulation {

/// Bytes sent and received, by NIC and cable of the nodes in order.
using NicBytes = std::vector<std::array<double, 2>>;

/// Returns the bytes by NIC from those by link of a fabric of these nodes alone; empty without any.
NicBytes nic_bytes(const core::Fabric& part, std::span<const double> link_bytes);

/// Returns the bytes by link of the fabric of all nodes, for those from `first_node` on. Leaves out
/// links between switches, which differ between the two fabrics.
std::vector<double> link_bytes(const core::Fabric& whole, int first_node, const NicBytes& bytes);

}  // namespace railwright::simulation
