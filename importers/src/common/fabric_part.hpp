// SPDX-License-Identifier: Apache-2.0
// A fabric as a tool found it, and its translation to one of railwright's topologies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "findings.hpp"

namespace railwright::importers {

struct FoundSwitch {
  std::string device;        ///< catalogue name; "" where unknown
  std::map<int, int> links;  ///< number of cables to other switches, by switch
};

/// A host: the switch that each of its cabled ports leads to, in the order of its NICs.
struct FoundHost {
  std::string name;
  std::vector<int> switches;
  int ports_per_nic = 1;
  double slowest = 0.0;  ///< slowest of its links, bytes/s
  double fastest = 0.0;
};

struct FoundFabric {
  std::vector<FoundSwitch> switches;
  std::vector<FoundHost> hosts;
};

/// Recognizes the topology and adds it. Nodes are the hosts with the most common number of ports.
/// Leaves are the switches they are on, spines those beside leaves, core switches those beside
/// spines. A topology is named where its rule puts every port where it is, but for the cables of
/// few hosts, which are named; else the reason is reported.
void add_fabric_part(const FoundFabric& fabric, const std::string& what, Findings& findings);

}  // namespace railwright::importers
