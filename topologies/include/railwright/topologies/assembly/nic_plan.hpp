// SPDX-License-Identifier: Apache-2.0
// The places of a node's scale-out NICs, and the NIC that each accelerator sends through.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/hardware/node.hpp"

namespace railwright::topologies {

/// The plan of one kind of node.
///
/// Accelerators are dealt over the PCIe switches in order, PCIe switches over the sockets, and
/// sockets over the trays. `shared`: NICs are dealt evenly over the PCIe switches that have
/// accelerators, and the accelerators of a switch share its NICs evenly. Accelerators of a switch
/// without NICs cross the host to the nearest NIC, in their own socket if possible. `alternate`:
/// each NIC belongs to one accelerator, NIC i to accelerator floor(i * A / n). The others cross the
/// host to the nearest NIC of their socket, even when it is on their own PCIe switch: on such nodes
/// NCCL sees every other GPU at distance SYS from every NIC [@nccl], issue 1357.
///
/// n NICs for A < n accelerators: accelerator a has floor((a + 1) n / A) - floor(a n / A) of them,
/// drawn as one vertex. All are cabled. If n / A is not whole, accelerators with floor(n / A) NICs
/// hold back a collective that loads all accelerators equally. NCCL gives the same result: channel
/// c of the i-th GPU of a PCIe switch with m NICs takes NIC i + (c mod ceil(m / GPUs)), so of three
/// NICs of two GPUs the middle one carries twice the traffic of the others [@nccl].
struct NicPlan {
  struct Accelerator {
    int pcie_switch = 0;
    int nic = -1;               ///< local index of the NIC vertex; -1 if none is in reach
    bool crosses_host = false;  ///< the path to it leaves the PCIe switch
  };
  struct Nic {
    int pcie_switch = 0;
    int num_adapters = 1;  ///< adapters that the vertex stands for
  };
  std::vector<Accelerator> accelerators;
  std::vector<Nic> nics;     ///< one per vertex
  std::vector<int> host_of;  ///< the socket of each PCIe switch
  std::vector<int> tray_of;  ///< the tray of each socket

  [[nodiscard]] int num_nics() const;
};

NicPlan plan_nics(const core::ComputeNode& node);

/// Returns what contradicts itself in the description of a node, by its keys.
std::vector<core::Problem> find_problems(const core::ComputeNode& node);

}  // namespace railwright::topologies
