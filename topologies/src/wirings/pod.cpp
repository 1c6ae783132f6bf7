// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/pod.hpp"

#include <algorithm>

#include "clos.hpp"

namespace railwright::topologies {

void Pod::wire(ScaleOutBuilder& builder) const {
  const int num_nodes = builder.num_places();
  const int in_pod = std::min(config_.nodes_per_pod, num_nodes);

  ClosDemand demand;
  demand.leaf = &config_.switch_model;
  demand.spine = config_.upper_switch ? &*config_.upper_switch : demand.leaf;
  demand.num_leaves = ceil_div(num_nodes, in_pod);
  demand.down_per_leaf = in_pod * builder.ports_per_node();
  demand.tiers = demand.num_leaves == 1 ? 1 : 2;
  demand.num_spines = config_.upper_switches;
  demand.links_to_spine = config_.links;

  const ClosPlan plan = plan_clos(demand, builder.parts());
  const std::vector<int> leaves = add_clos(builder, demand, plan);
  for (int node = 0; node < num_nodes; ++node) {
    builder.connect_node(node, leaves[static_cast<std::size_t>(node / in_pod)]);
  }
}

}  // namespace railwright::topologies
