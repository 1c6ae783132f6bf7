// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/rail_optimized.hpp"

#include <algorithm>
#include <vector>

#include "clos.hpp"

namespace railwright::topologies {

namespace {

/// Ports that a node takes on the leaf where it takes most.
int most_ports_of_node(const ScaleOutBuilder& builder, int rails) {
  std::vector<int> ports(static_cast<std::size_t>(rails));
  for (int nic = 0; nic < builder.nics_per_node(); ++nic) {
    ports[static_cast<std::size_t>(nic % rails)] += builder.ports_of_nic(nic);
  }
  return *std::ranges::max_element(ports);
}

}  // namespace

void RailOptimized::wire(ScaleOutBuilder& builder) const {
  const int num_nodes = builder.cluster().num_nodes;
  const int num_nics = builder.nics_per_node();
  const int rails = std::min(config_.rails.value_or(num_nics), num_nics);
  const int ports_of_node = most_ports_of_node(builder, rails);
  const int most = most_ports_down(config_.switch_model.num_ports.value, config_.oversubscription) /
                   ports_of_node;
  const int group = std::min(config_.nodes_per_group.value_or(std::max(1, most)), num_nodes);

  ClosDemand demand;
  demand.leaf = &config_.switch_model;
  demand.spine = config_.spine_switch ? &*config_.spine_switch : demand.leaf;
  demand.core = config_.core_switch ? &*config_.core_switch : demand.spine;
  demand.num_leaves = ceil_div(num_nodes, group) * rails;
  demand.leaves_per_block = rails;
  demand.down_per_leaf = group * ports_of_node;
  demand.oversubscription = config_.oversubscription;
  demand.spine_oversubscription = config_.spine_oversubscription;
  demand.tiers = config_.tiers;
  demand.num_spines = config_.num_spines;

  const ClosPlan plan = plan_clos(demand, builder.parts());
  const std::vector<int> leaves = add_clos(builder, demand, plan);
  for (int node = 0; node < num_nodes; ++node) {
    for (int nic = 0; nic < num_nics; ++nic) {
      const int leaf = node / group * rails + nic % rails;
      builder.connect_nic(node, nic, leaves[static_cast<std::size_t>(leaf)]);
    }
  }
}

}  // namespace railwright::topologies
