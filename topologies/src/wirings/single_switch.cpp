// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/single_switch.hpp"

#include <fmt/format.h>

#include "../assembly/scale_out.hpp"
#include "../bill/parts.hpp"

namespace railwright::topologies {

void SingleSwitch::wire(ScaleOutBuilder& builder) const {
  const core::Switch& model = config_.switch_model;
  const int num_nodes = builder.num_places();
  const int only = builder.add_switch(model, Level::kLeaf);
  for (int node = 0; node < num_nodes; ++node) builder.connect_node(node, only);
  const int needed = num_nodes * builder.ports_per_node();
  require(builder.parts(),
          fmt::format("{} need {} ports; {} has {}", builder.host_ports_in_words(num_nodes), needed,
                      model.name, model.num_ports.value),
          needed, model.num_ports.value);
}

}  // namespace railwright::topologies
