// SPDX-License-Identifier: Apache-2.0
// A node as tools describe it, and as a part of a scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "findings.hpp"
#include "railwright/core/hardware/node.hpp"

namespace railwright::importers {

/// One network adapter with the ports that are in use.
struct FoundNic {
  std::string name;      ///< name of its first port, such as "mlx5_0"
  int pcie_switch = -1;  ///< the one it shares with accelerators; -1 for none
  int host = 0;
  int num_ports = 1;
  double port_rate = 0.0;  ///< bytes/s; 0 where unknown
  std::string device;      ///< catalogue name; "" where unknown
  std::string transport;   ///< catalogue name; "" where unknown
  std::optional<bool> gpudirect;
};

struct FoundNode {
  std::vector<int> switch_of;  ///< the PCIe switch (or root port) of each accelerator
  std::vector<int> host_of;    ///< the socket of each PCIe switch
  int num_hosts = 0;
  std::vector<FoundNic> nics;
  std::optional<core::ScaleUp> scale_up;
  std::string scale_up_origin;
};

/// Adds the node. Scale-out NICs are the fastest of those that share a PCIe switch with
/// accelerators, or of all where none does. Notes what railwright's regular node cannot express.
void add_node_part(FoundNode node, const std::string& what, Findings& findings);

/// Classifies links between accelerators, `links[a][b]`: mesh, pairs, none; nothing if irregular.
std::optional<core::ScaleUp> scale_up_of(const std::vector<std::vector<int>>& links);

}  // namespace railwright::importers
