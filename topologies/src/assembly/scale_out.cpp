// SPDX-License-Identifier: Apache-2.0
#include "scale_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "../bill/bill.hpp"
#include "../bill/parts.hpp"
#include "management_parts.hpp"
#include "railwright/topologies/assembly/storage_network.hpp"
#include "scale_out_storage.hpp"

namespace railwright::topologies {

namespace {

bool is_ethernet(const core::NicSet& nics, const core::Switch& leaf) {
  if (leaf.link_protocol) return leaf.link_protocol->value == core::LinkProtocol::kEthernet;
  const auto& protocols = nics.transport.link_protocols;
  return !protocols.empty() && protocols.front() == core::LinkProtocol::kEthernet;
}

/// Returns how a fabric of these devices routes as they come.
core::Routing usual_routing(const core::NicSet& nics, const core::Switch& leaf) {
  if (!is_ethernet(nics, leaf)) return core::Routing::kStatic;
  const core::PacketSpraying adapter = nics.nic.packet_spraying.value;
  const bool sprays = adapter == core::PacketSpraying::kSends ||
                      (adapter == core::PacketSpraying::kReceives && leaf.packet_spraying.value);
  return sprays ? core::Routing::kAdaptive : core::Routing::kEcmp;
}

}  // namespace

ScaleOutBuilder::ScaleOutBuilder(const Cluster& cluster, core::Fabric fabric)
    : cluster_(cluster),
      plan_(plan_nics(cluster.node)),
      node_at_(nodes_by_place(cluster.placement, cluster.num_nodes)),
      built_{.fabric = std::move(fabric), .parts = {}} {
  add_nodes(built_.parts, cluster);
  std::vector<core::Endpoint> endpoints;
  for (int node = 0; node < cluster.num_nodes; ++node) {
    const bool is_copy = node > 0 && has_copy_of_first(built_.fabric, nodes_.front(), node);
    nodes_.push_back(is_copy ? add_copy_of_first(built_.fabric, nodes_.front(), node)
                             : add_node(built_.fabric, cluster.node, plan_, node));
    if (built_.fabric.is_wired_again()) continue;
    std::vector<core::Endpoint>& own = nodes_.back().endpoints;
    if (node == 0) {
      endpoints = own;  // and kept, for the copies
    } else {
      std::ranges::move(own, std::back_inserter(endpoints));
    }
  }
  built_.fabric.set_endpoints(std::move(endpoints), cluster.node.num_accelerators.value);
  const core::Transport& transport = cluster.node.nics.transport;
  built_.fabric.set_message_cost(
      {.half_size = transport.half_size.value, .host_time = transport.host_cost.value});
}

bool ScaleOutBuilder::has_same_endpoints(const core::Fabric& fabric) const {
  const std::vector<core::Endpoint>& own = nodes_.front().endpoints;
  if (static_cast<int>(own.size()) != fabric.accelerators_per_node()) return false;
  for (int a = 0; a < static_cast<int>(own.size()); ++a) {
    const core::Endpoint& one = own[core::index(a)];
    const core::Endpoint& other = fabric.endpoint(a);
    if (one.accelerator != other.accelerator || one.nic != other.nic ||
        one.crosses_host != other.crosses_host || one.through_host != other.through_host ||
        one.to_nic != other.to_nic) {
      return false;
    }
  }
  return true;
}

void ScaleOutBuilder::begin_plane(int plane, int num_planes) {
  num_planes_ = num_planes;
  prefix_ = fmt::format("plane {} ", plane);
  num_at_level_ = {};
}

core::RoutingPolicy ScaleOutBuilder::routing() const {
  core::RoutingPolicy policy = cluster_.routing;
  if (!policy.routing && !switches_.empty()) {
    policy.routing = usual_routing(cluster_.node.nics, *switches_.front().model);
  }
  return policy;
}

int ScaleOutBuilder::add_switch(const core::Switch& model, Level level) {
  add_part(built_.parts, "switch", model.name, 1);
  const int index = static_cast<int>(switches_.size());
  int& number = num_at_level_.at(core::index(level));
  const core::VertexId vertex = built_.fabric.add_vertex(
      {core::Role::kSwitch, -1, index, fmt::format("{}{} {}", prefix_, to_string(level), number++),
       static_cast<int>(level), model.in_network_reduction.value});
  switches_.push_back({.vertex = vertex, .model = &model, .level = level});
  return index;
}

void ScaleOutBuilder::connect_nic(int place, int nic, int to) {
  PlacedSwitch& leaf = at(to);
  const core::Nic& device = cluster_.node.nics.nic;
  const core::Transport& transport = cluster_.node.nics.transport;
  const int num_cables = ports_of_nic(nic);
  const core::Bandwidth line = std::min(device.line_rate.value, leaf.model->port_rate.value);
  const core::Bandwidth bandwidth = line * transport.efficiency.value * num_cables;
  // Each of the two links that cross a switch carries half of its latency, and each of the two NICs
  // half of the transport's.
  const core::Duration latency =
      device.latency.value + transport.latency.value / 2.0 + leaf.model->latency.value / 2.0;
  const int node = node_at_[static_cast<std::size_t>(place)];
  if (node >= 0) {
    const core::VertexId vertex =
        nodes_[static_cast<std::size_t>(node)].nics[static_cast<std::size_t>(nic)];
    built_.fabric.add_link({vertex, leaf.vertex, core::Tier::kInjection, bandwidth, latency,
                            num_cables, line * num_cables});
    add_part(built_.parts, "cable", "host link", num_cables);
  } else {
    built_.fabric.skip_place(leaf.vertex);
  }
  leaf.ports_down += num_cables;
  leaf.down += line * num_cables;
}

void ScaleOutBuilder::connect_node(int place, int to) {
  for (int nic = 0; nic < nics_per_node(); ++nic) connect_nic(place, nic, to);
}

void ScaleOutBuilder::connect_switches(int lower, int upper, int num_links) {
  PlacedSwitch& a = at(lower);
  PlacedSwitch& b = at(upper);
  const core::Bandwidth line = std::min(a.model->port_rate.value, b.model->port_rate.value);
  // The transport's overhead takes bandwidth of these links too.
  const core::Bandwidth cable = line * cluster_.node.nics.transport.efficiency.value;
  const core::Duration latency = (a.model->latency.value + b.model->latency.value) / 2.0;
  // A hash sends a flow over one cable, so each cable must be a separate link.
  const bool by_cable = routing().routing == core::Routing::kEcmp;
  const int of_link = by_cable ? 1 : num_links;
  for (int i = 0; i < num_links; i += of_link) {
    built_.fabric.add_link({a.vertex, b.vertex, core::Tier::kFabric, cable * of_link, latency,
                            of_link, line * of_link});
  }
  a.ports_up += num_links;
  a.up += line * num_links;
  const bool peers = a.level == b.level;
  (peers ? b.ports_up : b.ports_down) += num_links;
  (peers ? b.up : b.down) += line * num_links;
  add_part(built_.parts, "cable", "inter-switch link", num_links);
}

int ScaleOutBuilder::tray_of_nic(int nic) const {
  return plan_
      .tray_of[core::index(plan_.host_of[core::index(plan_.nics[core::index(nic)].pcie_switch)])];
}

int ScaleOutBuilder::index_on_tray(int nic) const {
  int index = 0;
  while (index < nic && tray_of_nic(nic - index - 1) == tray_of_nic(nic)) ++index;
  return index;
}

int ScaleOutBuilder::cables_per_nic() const {
  int least = plan_.num_nics();
  for (const NicPlan::Nic& nic : plan_.nics) least = std::min(least, nic.num_adapters);
  return least * cluster_.node.nics.nic.num_ports;
}

int ScaleOutBuilder::ports_of_nic(int nic) const {
  const int adapters = plan_.nics[static_cast<std::size_t>(nic)].num_adapters;
  return std::max(1, adapters * cluster_.node.nics.nic.num_ports / num_planes_);
}

int ScaleOutBuilder::ports_per_nic() const {
  int most = 0;
  for (int nic = 0; nic < nics_per_node(); ++nic) most = std::max(most, ports_of_nic(nic));
  return most;
}

int ScaleOutBuilder::ports_per_node() const {
  int sum = 0;
  for (int nic = 0; nic < nics_per_node(); ++nic) sum += ports_of_nic(nic);
  return sum;
}

std::string ScaleOutBuilder::host_ports_in_words(int num_nodes) const {
  const int num_ports = cluster_.node.nics.nic.num_ports;
  std::string words = fmt::format("{} nodes x {} NICs", num_nodes, plan_.num_nics());
  if (num_ports > 1) words += fmt::format(" x {} ports", num_ports);
  if (num_planes_ > 1) words += fmt::format(", shared by {} planes,", num_planes_);
  return words;
}

void ScaleOutBuilder::check_ports() {
  core::PartsList& parts = built_.parts;
  const bool explained = !parts.shortfalls.empty();
  for (const PlacedSwitch& placed : switches_) {
    const int num_ports = placed.model->num_ports.value;
    parts.ports_used += placed.ports_used();
    parts.ports_free += std::max(0, num_ports - placed.ports_used());
    if (explained || parts.shortfalls.size() == 1) continue;
    const std::string& label =
        built_.fabric.vertices()[static_cast<std::size_t>(placed.vertex)].label;
    const std::string of_storage =
        placed.ports_of_storage > 0
            ? fmt::format(", {} of them to storage,", placed.ports_of_storage)
            : std::string();
    require(
        parts,
        fmt::format("{} needs {} ports downwards{} and {} upwards; {} has {}", label,
                    placed.ports_down, of_storage, placed.ports_up, placed.model->name, num_ports),
        placed.ports_used(), num_ports, to_string(placed.level));
  }
}

BuiltCluster ScaleOutBuilder::finish() {
  if (cluster_.storage && cluster_.storage->network == StorageAttachment::kScaleOut) {
    add_storage_on_leaves(built_, *cluster_.storage, switches_, num_planes_);
  }
  check_ports();
  const PluggedNodes own{.front_end = &cluster_.node.front_end, .nodes = nodes_};
  add_storage_network(built_, cluster_, std::span(&own, 1));
  add_management_parts(built_.parts, built_.parts, cluster_,
                       cluster_.num_nodes * cluster_.node.num_trays);
  if (!built_.fabric.is_wired_again()) add_bill(built_, cluster_, switches_);
  return std::move(built_);
}

}  // namespace railwright::topologies
