// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/single_switch.hpp"

#include <fmt/format.h>

#include "parts.hpp"
#include "scale_out.hpp"

namespace railwright::topologies {

BuiltCluster SingleSwitch::build(const Cluster& cluster) const {
  const core::Switch& model = config_.switch_model;
  ScaleOutBuilder builder(cluster);
  const core::VertexId only = builder.add_switch(model);
  for (int node = 0; node < cluster.num_nodes; ++node) builder.connect_node(node, only, model);
  const int needed = cluster.num_nodes * builder.ports_per_node();
  require(builder.parts(),
          fmt::format("{} need {} ports; {} has {}", builder.host_ports_in_words(cluster.num_nodes),
                      needed, model.name, model.num_ports.value),
          needed, model.num_ports.value);
  return builder.finish();
}

}  // namespace railwright::topologies
