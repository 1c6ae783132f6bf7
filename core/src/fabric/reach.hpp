// SPDX-License-Identifier: Apache-2.0
// How far NICs get over the switches.
#pragma once

#include <vector>

#include "live_graph.hpp"

namespace railwright::core {

/// By vertex: how many nodes a NIC reaches over its switches, its own among them; 0 for a NIC
/// without a switch and for what is no NIC.
std::vector<int> nodes_in_reach(const LiveGraph& graph);

}  // namespace railwright::core
