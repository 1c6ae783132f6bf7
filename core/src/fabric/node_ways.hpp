// SPDX-License-Identifier: Apache-2.0
// Ways that stay within one node.
#pragma once

#include <vector>

#include "live_graph.hpp"

namespace railwright::core {

/// The way between two accelerators of a node: over the scale-up domain, else over PCIe. False
/// where there is none.
bool find_way_between_accelerators(const LiveGraph& graph, VertexId from, VertexId to,
                                   std::vector<LinkId>& way);

/// The way of fewest links between two devices of a node, equal ones by lowest link. No other
/// accelerator or NIC forwards. What turns from one PCIe switch to another of the same socket takes
/// the socket's host bridge where it has one. False where there is no way.
bool find_way_in_node(const LiveGraph& graph, VertexId from, VertexId to, std::vector<LinkId>& way);

}  // namespace railwright::core
