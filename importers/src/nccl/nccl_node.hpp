// SPDX-License-Identifier: Apache-2.0
// Reads a node from the XML of NCCL_TOPO_DUMP_FILE. [@nccl]
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../common/node_part.hpp"
#include "../common/pci_devices.hpp"

namespace railwright::importers {

struct NcclGpu {
  int dev = 0;
  int sm = 0;
  int pcie_switch = 0;
  std::string busid;
  PciId id;
  double link = 0.0;
  std::map<std::string, int> peers;  ///< links by the peer's bus id
  int to_switch = 0;
};

struct NcclNode {
  bool is_template = false;       ///< without <gpu>: PCI functions alone
  FoundNode node;                 ///< without its accelerators and the links between them
  std::vector<NcclGpu> gpus;      ///< sorted by `dev`
  std::set<std::string> trays;    ///< host_hash of the sockets
  std::set<double> uplinks;       ///< rates of PCIe switches, bytes/s
  std::set<double> socket_rates;  ///< between sockets, bytes/s; 0 where unknown
};

/// Reads elements of at most 32 levels. Expands no entities that the document defines, and opens no
/// other files. Throws ConfigError with every problem.
NcclNode read_nccl_node(std::string_view text, Findings& findings);

}  // namespace railwright::importers
