// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/assembly/node_wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "railwright/core/arithmetic.hpp"

namespace railwright::topologies {

namespace {

using core::Fabric;
using core::LinkId;
using core::Role;
using core::Tier;
using core::VertexId;

/// The vertices and links of the node being added.
struct NodeParts {
  std::vector<VertexId> accelerators;
  std::vector<VertexId> pcie_switches;
  std::vector<VertexId> hosts;
  std::vector<LinkId> accelerator_to_switch;
  std::vector<LinkId> switch_to_host;             // by PCIe switch
  std::vector<LinkId> switch_to_nic;              // by NIC
  std::vector<std::vector<LinkId>> host_to_host;  // by socket and socket
  std::vector<VertexId> bridges;                  // by socket; -1 if nothing crosses
  std::vector<LinkId> host_to_bridge;             // by socket; -1 if nothing crosses
  std::vector<LinkId> bridge_to_switch;           // by PCIe switch
};

using core::index;

/// Whether sent and received data is copied through host memory.
bool through_host(const core::ComputeNode& compute_node) {
  return !compute_node.nics.gpudirect || !compute_node.nics.transport.rdma;
}

VertexId add(Fabric& fabric, Role role, int node, int index, std::string_view word) {
  if (fabric.is_wired_again()) return fabric.add_vertex({role, node, index, {}});
  return fabric.add_vertex({role, node, index, fmt::format("node {} {} {}", node, word, index)});
}

void add_scale_up(Fabric& fabric, const core::ComputeNode& compute_node, int node,
                  const std::vector<VertexId>& accelerators) {
  const std::size_t count = accelerators.size();
  if (count < 2 || compute_node.scale_up == core::ScaleUp::kNone) return;
  const core::Accelerator& device = compute_node.accelerator;
  const core::Bandwidth reached =
      device.scale_up_bandwidth.value * device.scale_up_efficiency.value;
  if (compute_node.scale_up == core::ScaleUp::kSwitch) {
    const VertexId hub = add(fabric, Role::kScaleUpSwitch, node, 0, "scale-up switch");
    for (const VertexId a : accelerators) fabric.add_link({a, hub, Tier::kScaleUp, reached, {}});
    return;
  }
  const bool pairs = compute_node.scale_up == core::ScaleUp::kPairs;
  const core::Bandwidth each = pairs ? reached : reached / static_cast<double>(count - 1);
  for (std::size_t a = 0; a < count; a += pairs ? 2 : 1) {
    const std::size_t end = pairs ? std::min(a + 2, count) : count;
    for (std::size_t b = a + 1; b < end; ++b) {
      fabric.add_link({accelerators[a], accelerators[b], Tier::kScaleUp, each, {}});
    }
  }
}

void add_accelerators(Fabric& fabric, const core::ComputeNode& compute_node, const NicPlan& plan,
                      int node, NodeParts& parts) {
  const core::Accelerator& device = compute_node.accelerator;
  const int num_accelerators = static_cast<int>(plan.accelerators.size());
  for (int a = 0; a < num_accelerators; ++a) {
    parts.accelerators.push_back(add(fabric, Role::kAccelerator, node, a, "accelerator"));
  }
  add_scale_up(fabric, compute_node, node, parts.accelerators);
  const int num_switches = static_cast<int>(plan.host_of.size());
  for (int s = 0; s < num_switches; ++s) {
    parts.pcie_switches.push_back(add(fabric, Role::kPcieSwitch, node, s, "PCIe switch"));
  }
  for (int a = 0; a < num_accelerators; ++a) {
    const int s = plan.accelerators[index(a)].pcie_switch;
    parts.accelerator_to_switch.push_back(fabric.add_link({parts.accelerators[index(a)],
                                                           parts.pcie_switches[index(s)],
                                                           Tier::kPcie,
                                                           device.pcie_bandwidth.value,
                                                           {}}));
  }
}

void add_hosts(Fabric& fabric, const core::ComputeNode& compute_node, const NicPlan& plan, int node,
               NodeParts& parts) {
  const int num_hosts = compute_node.num_hosts.value;
  const int num_switches = static_cast<int>(plan.host_of.size());
  for (int h = 0; h < num_hosts; ++h) {
    parts.hosts.push_back(add(fabric, Role::kHost, node, h, "host"));
  }
  for (int s = 0; s < num_switches; ++s) {
    parts.switch_to_host.push_back(fabric.add_link({parts.pcie_switches[index(s)],
                                                    parts.hosts[index(plan.host_of[index(s)])],
                                                    Tier::kHost,
                                                    compute_node.pcie_uplink_bandwidth.value,
                                                    {}}));
  }
  parts.host_to_host.assign(index(num_hosts), std::vector<LinkId>(index(num_hosts), -1));
  for (int h = 0; h < num_hosts; ++h) {
    for (int other = h + 1; other < num_hosts; ++other) {
      if (plan.tray_of[index(h)] != plan.tray_of[index(other)]) continue;
      const LinkId link = fabric.add_link({parts.hosts[index(h)],
                                           parts.hosts[index(other)],
                                           Tier::kHost,
                                           compute_node.host_bandwidth.value,
                                           {}});
      parts.host_to_host[index(h)][index(other)] = link;
      parts.host_to_host[index(other)][index(h)] = Fabric::reverse(link);
    }
  }
}

/// Links a PCIe switch to its socket's host bridge.
void bridge_to(Fabric& fabric, const core::ComputeNode& compute_node, const NicPlan& plan, int node,
               int pcie_switch, NodeParts& parts) {
  const int h = plan.host_of[index(pcie_switch)];
  if (parts.host_to_bridge[index(h)] < 0) {
    parts.bridges[index(h)] = add(fabric, Role::kHostBridge, node, h, "host bridge");
    parts.host_to_bridge[index(h)] = fabric.add_link({parts.hosts[index(h)],
                                                      parts.bridges[index(h)],
                                                      Tier::kHost,
                                                      compute_node.host_bandwidth.value,
                                                      {}});
  }
  parts.bridge_to_switch[index(pcie_switch)] =
      fabric.add_link({parts.bridges[index(h)],
                       parts.pcie_switches[index(pcie_switch)],
                       Tier::kHost,
                       compute_node.pcie_uplink_bandwidth.value,
                       {}});
}

/// Adds the host bridges between peers of one socket: accelerators and, with GPUDirect, NICs of
/// other PCIe switches, including ones that replace a failed NIC.
void add_bridges(Fabric& fabric, const core::ComputeNode& compute_node, const NicPlan& plan,
                 int node, NodeParts& parts) {
  parts.bridges.assign(parts.hosts.size(), -1);
  parts.host_to_bridge.assign(parts.hosts.size(), -1);
  parts.bridge_to_switch.assign(parts.pcie_switches.size(), -1);
  const bool joined = compute_node.scale_up == core::ScaleUp::kSwitch ||
                      compute_node.scale_up == core::ScaleUp::kMesh;
  if (joined && through_host(compute_node)) return;
  for (int s = 0; s < static_cast<int>(plan.host_of.size()); ++s) {
    if (std::ranges::count(plan.host_of, plan.host_of[index(s)]) > 1) {
      bridge_to(fabric, compute_node, plan, node, s, parts);
    }
  }
}

/// Returns the path through host memory, from which the sender's NIC reads what its accelerator
/// wrote.
std::vector<LinkId> way_through_host(const NicPlan& plan, const NodeParts& parts, int from,
                                     int to) {
  std::vector<LinkId> way{parts.switch_to_host[index(from)]};
  const int here = plan.host_of[index(from)];
  const int there = plan.host_of[index(to)];
  if (here != there) way.push_back(parts.host_to_host[index(here)][index(there)]);
  way.push_back(Fabric::reverse(parts.switch_to_host[index(to)]));
  return way;
}

/// Returns the path between two PCIe switches as peers.
std::vector<LinkId> way_across_host(const NicPlan& plan, const NodeParts& parts, int from, int to) {
  if (plan.host_of[index(from)] != plan.host_of[index(to)]) {
    return way_through_host(plan, parts, from, to);
  }
  const int host = plan.host_of[index(from)];
  return {parts.switch_to_host[index(from)], parts.host_to_bridge[index(host)],
          parts.bridge_to_switch[index(to)]};
}

std::vector<LinkId> way_to_nic(const core::ComputeNode& compute_node, const NicPlan& plan,
                               const NodeParts& parts, int accelerator) {
  const NicPlan::Accelerator& a = plan.accelerators[index(accelerator)];
  const int to = plan.nics[index(a.nic)].pcie_switch;
  std::vector<LinkId> way{parts.accelerator_to_switch[index(accelerator)]};
  std::vector<LinkId> over;
  if (through_host(compute_node)) {
    over = way_through_host(plan, parts, a.pcie_switch, to);
  } else if (a.crosses_host) {
    over = way_across_host(plan, parts, a.pcie_switch, to);
  }
  way.insert(way.end(), over.begin(), over.end());
  way.push_back(parts.switch_to_nic[index(a.nic)]);
  return way;
}

}  // namespace

WiredNode add_node(Fabric& fabric, const core::ComputeNode& compute_node, const NicPlan& plan,
                   int node) {
  NodeParts parts;
  add_accelerators(fabric, compute_node, plan, node, parts);
  add_hosts(fabric, compute_node, plan, node, parts);
  add_bridges(fabric, compute_node, plan, node, parts);

  WiredNode wired;
  const core::Nic& device = compute_node.nics.nic;
  for (int n = 0; n < static_cast<int>(plan.nics.size()); ++n) {
    const VertexId nic = add(fabric, Role::kNic, node, n, "NIC");
    wired.nics.push_back(nic);
    const auto [pcie_switch, adapters] = plan.nics[index(n)];
    parts.switch_to_nic.push_back(fabric.add_link({parts.pcie_switches[index(pcie_switch)],
                                                   nic,
                                                   Tier::kPcie,
                                                   device.pcie_bandwidth.value * adapters,
                                                   {},
                                                   adapters}));
  }
  const int num_front_end = compute_node.front_end.count;
  for (int n = 0; n < num_front_end; ++n) {
    const VertexId nic = add(fabric, Role::kFrontEndNic, node, n, "front-end NIC");
    wired.front_end_nics.push_back(nic);
    const int h = n * compute_node.num_hosts.value / num_front_end;
    fabric.add_link({parts.hosts[index(h)],
                     nic,
                     Tier::kPcie,
                     compute_node.front_end.nic.pcie_bandwidth.value,
                     {}});
  }
  wired.num_links = static_cast<LinkId>(fabric.links().size());
  // Sockets, their bridges and adapters come last.
  for (const auto* last : {&parts.hosts, &parts.bridges, &wired.nics, &wired.front_end_nics}) {
    for (const VertexId v : *last) wired.num_devices = std::max(wired.num_devices, v + 1);
  }
  for (int a = 0; a < static_cast<int>(plan.accelerators.size()); ++a) {
    const NicPlan::Accelerator& placed = plan.accelerators[index(a)];
    core::Endpoint endpoint{.accelerator = parts.accelerators[index(a)],
                            .node = node,
                            .local_index = a,
                            .nic = placed.nic,
                            .crosses_host = placed.crosses_host,
                            .through_host = through_host(compute_node)};
    if (placed.nic >= 0) endpoint.to_nic = way_to_nic(compute_node, plan, parts, a);
    wired.endpoints.push_back(std::move(endpoint));
  }
  return wired;
}

namespace {

constexpr std::string_view kOfFirst = "node 0";  // begins the labels of the first node

/// Adds the devices of a copy. Returns how much higher their ids are than those of the first node.
VertexId copy_devices(Fabric& fabric, VertexId num_devices, int node) {
  std::string own;
  if (!fabric.is_wired_again()) own = fmt::format("node {}", node);
  VertexId higher = 0;
  for (VertexId v = 0; v < num_devices; ++v) {
    const core::Vertex& first = fabric.vertices()[index(v)];
    core::Vertex copy{.role = first.role, .node = node, .local_index = first.local_index};
    if (!fabric.is_wired_again()) copy.label = own + first.label.substr(kOfFirst.size());
    higher = fabric.add_vertex(std::move(copy)) - v;
  }
  return higher;
}

}  // namespace

bool has_copy_of_first(const Fabric& fabric, const WiredNode& first, int node) {
  if (!fabric.is_wired_again()) return true;
  const std::span<const core::Vertex> known = fabric.vertices();
  const std::size_t num_devices = index(first.num_devices);
  if (known.size() < num_devices * (index(node) + 1)) return false;
  return known[num_devices - 1].node == 0 && known[num_devices].node == 1;
}

WiredNode add_copy_of_first(Fabric& fabric, const WiredNode& first, int node) {
  const VertexId higher = copy_devices(fabric, first.num_devices, node);
  LinkId links_higher = 0;
  for (LinkId l = 0; l < first.num_links; l += 2) {
    core::Link copy = fabric.links()[index(l)];
    copy.from += higher;
    copy.to += higher;
    links_higher = fabric.add_link(copy) - l;
  }
  WiredNode wired{.nics = first.nics, .front_end_nics = first.front_end_nics};
  for (VertexId& nic : wired.nics) nic += higher;
  for (VertexId& nic : wired.front_end_nics) nic += higher;
  if (fabric.is_wired_again()) return wired;
  wired.endpoints = first.endpoints;
  for (core::Endpoint& endpoint : wired.endpoints) {
    endpoint.accelerator += higher;
    endpoint.node = node;
    for (LinkId& link : endpoint.to_nic) link += links_higher;
  }
  return wired;
}

}  // namespace railwright::topologies
