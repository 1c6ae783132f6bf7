// SPDX-License-Identifier: Apache-2.0
#include "scale_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "parts.hpp"
#include "railwright/topologies/storage_network.hpp"

namespace railwright::topologies {

ScaleOutBuilder::ScaleOutBuilder(const Cluster& cluster)
    : cluster_(cluster), plan_(plan_nics(cluster.node)) {
  add_servers(built_.parts, cluster);
  std::vector<core::Endpoint> endpoints;
  for (int node = 0; node < cluster.num_nodes; ++node) {
    nodes_.push_back(add_node(built_.fabric, cluster.node, plan_, node));
    std::ranges::move(nodes_.back().endpoints, std::back_inserter(endpoints));
  }
  built_.fabric.set_endpoints(std::move(endpoints), cluster.node.num_accelerators.value);
}

core::VertexId ScaleOutBuilder::add_switch(const core::Switch& model) {
  add_part(built_.parts, "switch", model.name, 1);
  num_switch_ports_ += model.num_ports.value;
  const int index = num_switches_++;
  return built_.fabric.add_vertex(
      {core::Role::kSwitch, -1, index, fmt::format("switch {}", index)});
}

void ScaleOutBuilder::connect_node(int node, core::VertexId to, const core::Switch& model) {
  const core::Nic& nic = cluster_.node.nics.nic;
  const int num_cables = nic.num_ports * plan_.nics_per_vertex;
  const core::Bandwidth port =
      std::min(nic.line_rate.value, model.port_rate.value) * nic.efficiency.value;
  // Half of a switch's latency stands on each of the two links a message crosses it by.
  const core::Duration latency = nic.latency.value + model.latency.value / 2.0;
  for (const core::VertexId vertex : nodes_[static_cast<std::size_t>(node)].nics) {
    built_.fabric.add_link(vertex, to, core::Tier::kInjection, port * num_cables, latency,
                           num_cables);
  }
  built_.parts.ports_used += ports_per_node();
  add_part(built_.parts, "cable", "host link", ports_per_node());
}

void ScaleOutBuilder::connect_switches(core::VertexId a, core::VertexId b,
                                       const core::Switch& model, int num_links) {
  // The NICs' protocol overhead travels along on these links too.
  const core::Bandwidth bandwidth =
      model.port_rate.value * cluster_.node.nics.nic.efficiency.value * num_links;
  built_.fabric.add_link(a, b, core::Tier::kFabric, bandwidth, model.latency.value, num_links);
  built_.parts.ports_used += 2 * num_links;
  add_part(built_.parts, "cable", "inter-switch link", num_links);
}

int ScaleOutBuilder::ports_per_node() const {
  return plan_.num_nics() * cluster_.node.nics.nic.num_ports;
}

std::string ScaleOutBuilder::host_ports_in_words(int num_nodes) const {
  const int num_ports = cluster_.node.nics.nic.num_ports;
  std::string words = fmt::format("{} nodes x {} NICs", num_nodes, plan_.num_nics());
  if (num_ports > 1) words += fmt::format(" x {} ports", num_ports);
  return words;
}

BuiltCluster ScaleOutBuilder::finish() {
  built_.parts.ports_free = std::max(0, num_switch_ports_ - built_.parts.ports_used);
  add_storage_network(built_, cluster_, nodes_);
  return std::move(built_);
}

}  // namespace railwright::topologies
