// SPDX-License-Identifier: Apache-2.0
#include "loads.hpp"

#include <vector>

namespace railwright::models {

void add_trees_between_nodes(LinkLoads& loads, const Groups& groups) {
  const auto edges = double_tree_edges(groups.nodes.size());
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    const double half = 0.5 / static_cast<double>(groups.num_channels);
    for (const auto& [child, parent] : edges) {
      loads.add(groups.gate(child, channel), groups.gate(parent, channel), channel, half);
      loads.add(groups.gate(parent, channel), groups.gate(child, channel), channel, half);
    }
  }
}

void add_node_rings(LinkLoads& loads, const Groups& groups) {
  for (const auto& node : groups.nodes) {
    if (node.size() < 2) continue;
    std::vector<double> held(node.size());
    for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
      held[channel % node.size()] += 1.0 / static_cast<double>(groups.num_channels);
    }
    for (std::size_t i = 0; i < node.size(); ++i) {
      // A part goes around all edges except the one after its holder, and then all except the one
      // before it.
      const std::size_t next = (i + 1) % node.size();
      loads.add(node[i], node[next], 0, (1.0 - held[i]) + (1.0 - held[next]));
    }
  }
}

}  // namespace railwright::models
