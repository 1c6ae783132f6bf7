// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/leaf_spine.hpp"

#include <algorithm>

#include "clos.hpp"

namespace railwright::topologies {

void LeafSpine::wire(ScaleOutBuilder& builder) const {
  const core::Switch& model = config_.switch_model;
  const int num_nodes = builder.num_places();
  const bool dealt = config_.nics == LeafChoice::kDealt;
  // A unit, a NIC or a node, goes to one leaf as a whole.
  const int num_units = dealt ? num_nodes * builder.nics_per_node() : num_nodes;
  const int ports_of_unit = dealt ? builder.ports_per_nic() : builder.ports_per_node();
  const int num_leaves =
      std::min(num_units, config_.num_leaves.value_or(min_leaves(model, config_.oversubscription,
                                                                 num_units, ports_of_unit)));
  const int units_of_leaf = ceil_div(num_units, num_leaves);

  ClosDemand demand;
  demand.leaf = &model;
  demand.spine = config_.spine_switch ? &*config_.spine_switch : demand.leaf;
  demand.num_leaves = dealt ? num_leaves : ceil_div(num_units, units_of_leaf);
  demand.down_per_leaf = units_of_leaf * ports_of_unit;
  demand.oversubscription = config_.oversubscription;
  demand.tiers = demand.num_leaves == 1 ? 1 : 2;
  demand.num_spines = config_.num_spines;

  const std::vector<int> leaves = add_clos(builder, demand, plan_clos(demand, builder.parts()));
  for (int node = 0; node < num_nodes; ++node) {
    for (int nic = 0; nic < builder.nics_per_node(); ++nic) {
      const int leaf =
          dealt ? (node * builder.nics_per_node() + nic) % num_leaves : node / units_of_leaf;
      builder.connect_nic(node, nic, leaves[static_cast<std::size_t>(leaf)]);
    }
  }
}

}  // namespace railwright::topologies
