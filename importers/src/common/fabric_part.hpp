// SPDX-License-Identifier: Apache-2.0
// A fabric as a tool walked it, and as one of railwright's topologies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "findings.hpp"

namespace railwright::importers {

struct FoundSwitch {
  std::string device;        ///< by catalogue name; "" where not told
  std::map<int, int> links;  ///< cables to other switches, by switch
};

/// One node: the switch that each of its cabled ports leads to, NICs in order.
struct FoundHost {
  std::vector<int> switches;
  int ports_per_nic = 1;
  double slowest = 0.0;  ///< of its links, bytes a second
  double fastest = 0.0;
};

struct FoundFabric {
  std::vector<FoundSwitch> switches;
  std::vector<FoundHost> hosts;
};

/// Nodes are the hosts with the commonest number of ports. Leaves are the switches they are on,
/// spines those beside leaves, core switches those beside spines. Names the topology whose rule
/// puts every port where it is; where none does, the fabric is not known, and why is said.
void add_fabric_part(const FoundFabric& fabric, const std::string& what, Findings& findings);

}  // namespace railwright::importers
