// SPDX-License-Identifier: Apache-2.0
// One node as vertices and links of a fabric.
#pragma once

#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/topologies/assembly/nic_plan.hpp"

namespace railwright::topologies {

/// What a node brought into the fabric.
struct WiredNode {
  std::vector<core::VertexId> nics;            ///< in the order of NicPlan::nics
  std::vector<core::VertexId> front_end_nics;  ///< one an adapter
  std::vector<core::Endpoint> endpoints;       ///< one an accelerator
};

/// Adds accelerators, their scale-up links, PCIe switches, sockets and NICs. Front-end NICs sit on
/// the sockets in turn.
///
/// Scale-up: `switch` is one non-blocking vertex, of which an accelerator's link into it is the
/// limit; `mesh` a link between each two with scale_up_bandwidth / (A - 1); `pairs` one link
/// between accelerators 2i and 2i + 1 with all of it. What no scale-up link joins meets over PCIe.
///
/// Between PCIe switches of one socket the way is: PCIe switch, uplink, host, host bridge, PCIe
/// switch; a NIC that takes over for another is reached so too. The link host - host bridge carries
/// all such traffic of the socket and has `host_bandwidth`, what peer-to-peer transfers through a
/// CPU reach (NCCL takes 22 GB/s for Xeon SPR [@nccl]). Between sockets the link host - host has
/// that bandwidth; sockets of different trays have none.
///
/// Without GPUDirect RDMA (or over a transport without RDMA) the way to a NIC leads through host
/// memory: accelerator, PCIe switch, uplink, host, uplink of the NIC's PCIe switch, that switch,
/// NIC. What is received takes it backwards, so that an uplink carries both.
WiredNode add_node(core::Fabric& fabric, const core::ComputeNode& compute_node, const NicPlan& plan,
                   int node);

}  // namespace railwright::topologies
