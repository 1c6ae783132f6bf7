// SPDX-License-Identifier: Apache-2.0
// Where a node's scale-out NICs sit and which accelerator sends through which.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/hardware/node.hpp"

namespace railwright::topologies {

/// One kind of node has one plan.
///
/// Accelerators are dealt over the PCIe switches in order, PCIe switches over the sockets, and
/// sockets over the trays. `shared`: NICs are dealt evenly over the PCIe switches that have
/// accelerators, and the accelerators of a switch share its NICs evenly; where a switch has none,
/// its accelerators cross the host to the nearest, in their own socket if they can. `alternate`:
/// each NIC belongs to one accelerator, NIC i to accelerator floor(i * A / n). The others cross the
/// host to the nearest NIC of their socket, even when it sits on their own PCIe switch: on such
/// nodes NCCL sees every other GPU at distance SYS from every NIC [@nccl], issue 1357.
///
/// n NICs for A < n accelerators: accelerator a has floor((a + 1) n / A) - floor(a n / A) of them,
/// drawn as one vertex. All are cabled; but where n / A is no whole number, a collective that loads
/// all accelerators alike is held back by those with floor(n / A). NCCL comes to the same: channel
/// c of the i-th GPU of a PCIe switch with m NICs takes NIC i + (c mod ceil(m / GPUs)), so of three
/// NICs of two GPUs the middle one carries twice the traffic of the others [@nccl].
struct NicPlan {
  struct Accelerator {
    int pcie_switch = 0;
    int nic = -1;               ///< local index of the NIC vertex; -1 without one in reach
    bool crosses_host = false;  ///< the way to it leaves the PCIe switch
  };
  struct Nic {
    int pcie_switch = 0;
    int num_adapters = 1;  ///< that the vertex stands for
  };
  std::vector<Accelerator> accelerators;
  std::vector<Nic> nics;     ///< one a vertex
  std::vector<int> host_of;  ///< the socket of each PCIe switch
  std::vector<int> tray_of;  ///< the tray of each socket

  [[nodiscard]] int num_nics() const;
};

NicPlan plan_nics(const core::ComputeNode& node);

/// What is wrong with the description of a node, by key.
struct NodeProblem {
  std::string key;
  std::string message;
};
std::vector<NodeProblem> find_problems(const core::ComputeNode& node);

}  // namespace railwright::topologies
