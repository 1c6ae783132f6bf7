// SPDX-License-Identifier: Apache-2.0
// Reachability between NICs over the switches.
#pragma once

#include <vector>

#include "live_graph.hpp"

namespace railwright::core {

/// Counts, by vertex, the nodes a NIC reaches over its switches, including its own; 0 for a NIC
/// without a switch and for other vertices.
std::vector<int> nodes_in_reach(const LiveGraph& graph);

}  // namespace railwright::core
