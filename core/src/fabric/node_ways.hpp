// SPDX-License-Identifier: Apache-2.0
// Paths within one node.
#pragma once

#include <vector>

#include "live_graph.hpp"

namespace railwright::core {

/// Finds the path between two accelerators of a node: over the scale-up domain, else over PCIe.
/// Returns false if there is none.
bool find_way_between_accelerators(const LiveGraph& graph, VertexId from, VertexId to,
                                   std::vector<LinkId>& way);

/// Finds the path with fewest links between two devices of a node; ties go to the lowest link.
/// Other accelerators and NICs do not forward. A path from one PCIe switch to another of the same
/// socket uses the socket's host bridge if it has one. Returns false if there is no path.
bool find_way_in_node(const LiveGraph& graph, VertexId from, VertexId to, std::vector<LinkId>& way);

}  // namespace railwright::core
