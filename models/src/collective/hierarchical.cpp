// SPDX-License-Identifier: Apache-2.0
#include "hierarchical.hpp"

#include "link_loads.hpp"
#include "loads.hpp"

namespace railwright::models {

bool hierarchical_can_run(const CollectiveTuning& /*tuning*/, const CommunicatorShape& shape,
                          CollectiveOp op) {
  return op == CollectiveOp::kAllReduce && shape.nodes > 1;
}

core::Duration hierarchical_latency(const CollectiveCall& call) {
  return latency_of(call.tuning.ring, call, tree_steps_inside(call.shape, call.op),
                    2.0 * (call.shape.nodes - 1));
}

std::vector<core::LinkUse> hierarchical_loads(const core::Fabric& fabric, const Groups& groups,
                                              std::span<const int> /*members*/,
                                              CollectiveOp /*op*/) {
  LinkLoads loads(fabric, groups.num_connections);
  add_node_rings(loads, groups);
  const std::size_t num_nodes = groups.nodes.size();
  if (num_nodes < 2) return loads.route();
  const double bytes = bus_factor(CollectiveOp::kAllReduce, static_cast<int>(num_nodes)) /
                       static_cast<double>(groups.num_channels);
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    for (std::size_t g = 0; g < num_nodes; ++g) {
      loads.add(groups.gate(g, channel), groups.gate((g + 1) % num_nodes, channel), channel, bytes);
    }
  }
  return loads.route();
}

}  // namespace railwright::models
