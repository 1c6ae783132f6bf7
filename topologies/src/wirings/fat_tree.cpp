// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/fat_tree.hpp"

#include <algorithm>

#include "clos.hpp"

namespace railwright::topologies {

void FatTree::wire(ScaleOutBuilder& builder) const {
  const core::Switch& model = config_.switch_model;
  const int num_nics = builder.num_places() * builder.nics_per_node();
  const int ports = builder.ports_per_nic();
  const int max_down = max_ports_down(model.num_ports.value, config_.oversubscription);
  const bool one_leaf = config_.tiers.value_or(1) == 1 &&
                        min_leaves(model, config_.oversubscription, num_nics, ports) == 1;
  const int nics_of_leaf = one_leaf ? num_nics : std::max(1, max_down / ports);

  ClosDemand demand;
  demand.leaf = &model;
  demand.spine = &model;
  demand.core = &model;
  demand.num_leaves = ceil_div(num_nics, nics_of_leaf);
  demand.down_per_leaf = nics_of_leaf * ports;
  demand.oversubscription = config_.oversubscription;
  demand.spine_oversubscription = config_.spine_oversubscription;
  demand.tiers = config_.tiers;

  const std::vector<int> leaves = add_clos(builder, demand, plan_clos(demand, builder.parts()));
  for (int n = 0; n < num_nics; ++n) {
    builder.connect_nic(n / builder.nics_per_node(), n % builder.nics_per_node(),
                        leaves[static_cast<std::size_t>(n / nics_of_leaf)]);
  }
}

}  // namespace railwright::topologies
