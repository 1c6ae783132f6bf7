// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/dual_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "../assembly/scale_out.hpp"
#include "../bill/parts.hpp"

namespace railwright::topologies {

namespace {

/// Returns "; with 4 NICs it fits at 3:1" if fewer NICs per node would help.
std::string what_would_fit(const ScaleOutBuilder& builder, int nodes_on_first, int links,
                           int num_ports) {
  const int num_nics = builder.cluster().node.nics.count;
  const int ports_of_nic = ceil_div(builder.ports_per_node(), num_nics);
  for (int n = num_nics - 1; n >= 1; --n) {
    const int down = nodes_on_first * n * ports_of_nic;
    if (down + links > num_ports) continue;
    return fmt::format("; with {} NICs it fits at {:.3g}:1", n,
                       std::max(1.0, static_cast<double>(down) / links));
  }
  return {};
}

}  // namespace

void DualSwitch::wire(ScaleOutBuilder& builder) const {
  const core::Switch& model = config_.switch_model;
  const int links = config_.inter_switch_links;
  const int num_ports = model.num_ports.value;
  const int num_nodes = builder.num_places();
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
            fmt::format("{} = {} host ports and 2 x {} inter-switch ports; 2 x {} have {}{}",
                        builder.host_ports_in_words(num_nodes), host_ports, links, model.name,
                        2 * num_ports, what_would_fit(builder, half, links, num_ports)),
            needed, 2 * num_ports);
  } else {
    // The first switch has one node more if their number is odd.
    require(
        builder.parts(),
        fmt::format("{} = {} host ports and {} inter-switch ports on the first switch; {} has {}",
                    builder.host_ports_in_words(half), half * builder.ports_per_node(), links,
                    model.name, num_ports),
        needed_on_first, num_ports);
  }
}

}  // namespace railwright::topologies
