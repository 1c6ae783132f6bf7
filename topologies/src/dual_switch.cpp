// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/dual_switch.hpp"

#include <fmt/format.h>

#include "parts.hpp"
#include "scale_out.hpp"

namespace railwright::topologies {

void DualSwitch::wire(ScaleOutBuilder& builder) const {
  const core::Switch& model = config_.switch_model;
  const int links = config_.inter_switch_links;
  const int num_ports = model.num_ports.value;
  const int num_nodes = builder.cluster().num_nodes;
  const int first = builder.add_switch(model, Level::kLeaf);
  const int second = builder.add_switch(model, Level::kLeaf);
  const int half = (num_nodes + 1) / 2;
  for (int node = 0; node < num_nodes; ++node) {
    builder.connect_node(node, node < half ? first : second);
  }
  builder.connect_switches(first, second, links);

  const int host_ports = num_nodes * builder.ports_per_node();
  const int needed = host_ports + 2 * links;
  const int needed_on_first = half * builder.ports_per_node() + links;
  if (needed > 2 * num_ports) {
    require(builder.parts(),
            fmt::format("{} = {} host ports and 2 x {} inter-switch ports; 2 x {} have {}",
                        builder.host_ports_in_words(num_nodes), host_ports, links, model.name,
                        2 * num_ports),
            needed, 2 * num_ports);
  } else {
    // An odd node more on the first switch.
    require(
        builder.parts(),
        fmt::format("{} = {} host ports and {} inter-switch ports on the first switch; {} has {}",
                    builder.host_ports_in_words(half), half * builder.ports_per_node(), links,
                    model.name, num_ports),
        needed_on_first, num_ports);
  }
}

}  // namespace railwright::topologies
