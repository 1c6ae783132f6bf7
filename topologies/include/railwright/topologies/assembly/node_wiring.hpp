// SPDX-License-Identifier: Apache-2.0
// One node as vertices and links of a fabric.
#pragma once

#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/topologies/assembly/nic_plan.hpp"

namespace railwright::topologies {

/// The vertices that a node added to the fabric.
struct WiredNode {
  std::vector<core::VertexId> nics;            ///< in the order of NicPlan::nics
  std::vector<core::VertexId> front_end_nics;  ///< one per adapter
  std::vector<core::Endpoint> endpoints{};     ///< one per accelerator
  core::VertexId num_devices = 0;              ///< of the fabric, if it is the first node
  core::LinkId num_links = 0;                  ///< likewise
};

/// Adds accelerators, their scale-up links, PCIe switches, sockets and NICs. Front-end NICs sit on
/// the sockets in turn.
///
/// Scale-up: `switch` is one non-blocking vertex, so that only an accelerator's link into it
/// limits; `mesh` has a link between each two with scale_up_bandwidth / (A - 1); `pairs` has one
/// link between accelerators 2i and 2i + 1 with the whole bandwidth. Accelerators without a
/// scale-up link between them communicate over PCIe.
///
/// Between PCIe switches of one socket the path is: PCIe switch, uplink, host, host bridge, PCIe
/// switch; so is the path to a NIC that replaces a failed one. The link host - host bridge carries
/// all such traffic of the socket at `host_bandwidth`, the rate of peer-to-peer transfers through a
/// CPU (NCCL assumes 22 GB/s for Xeon SPR [@nccl]). The link host - host between sockets has that
/// bandwidth too; sockets of different trays have none.
///
/// Without GPUDirect RDMA (or over a transport without RDMA) the path to a NIC goes through host
/// memory: accelerator, PCIe switch, uplink, host, uplink of the NIC's PCIe switch, that switch,
/// NIC. Received data takes the reverse path, so an uplink carries both.
WiredNode add_node(core::Fabric& fabric, const core::ComputeNode& compute_node, const NicPlan& plan,
                   int node);

/// Whether node `node` may be a copy of the first, which add_node() added to the empty fabric: a
/// fabric that is wired again must know both as such.
bool has_copy_of_first(const core::Fabric& fabric, const WiredNode& first, int node);
/// Adds such a copy.
WiredNode add_copy_of_first(core::Fabric& fabric, const WiredNode& first, int node);

}  // namespace railwright::topologies
