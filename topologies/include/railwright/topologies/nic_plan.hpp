// SPDX-License-Identifier: Apache-2.0
// Where a server's scale-out NICs sit and which accelerator sends through which.
#pragma once

#include <vector>

#include "railwright/core/hardware/node.hpp"

namespace railwright::topologies {

/// One kind of server has one plan.
///
/// Accelerators are dealt over the PCIe switches in order, and PCIe switches over the sockets.
/// `shared`: NICs are dealt evenly over the PCIe switches and the accelerators of a switch share
/// its NICs evenly; where a switch has none, its accelerators cross the host to the nearest, in
/// their own socket if they can. `alternate`: each NIC belongs to one accelerator, NIC i to
/// accelerator floor(i * A / n). The others cross the host to the nearest NIC of their socket, even
/// when it sits on their own PCIe switch: on such servers NCCL sees every other GPU at distance SYS
/// from every NIC
/// [@nccl], issue 1357.
/// More NICs than accelerators: every accelerator gets floor(n / A) of them, drawn as one vertex; a
/// rest stays unused.
struct NicPlan {
  struct Accelerator {
    int pcie_switch = 0;
    int nic = -1;               ///< local index of the NIC vertex; -1 without NICs
    bool crosses_host = false;  ///< the way to it leaves the PCIe switch
  };
  struct Nic {
    int pcie_switch = 0;
  };
  std::vector<Accelerator> accelerators;
  std::vector<Nic> nics;     ///< one a vertex
  int nics_per_vertex = 1;   ///< adapters that one vertex stands for
  std::vector<int> host_of;  ///< the socket of each PCIe switch

  [[nodiscard]] int num_nics() const { return static_cast<int>(nics.size()) * nics_per_vertex; }
};

NicPlan plan_nics(const core::Server& server);

}  // namespace railwright::topologies
