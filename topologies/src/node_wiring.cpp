// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/node_wiring.hpp"

#include <fmt/format.h>

#include <string_view>

namespace railwright::topologies {

namespace {

using core::Fabric;
using core::LinkId;
using core::Role;
using core::Tier;
using core::VertexId;

/// The vertices and links of the server being added.
struct Parts {
  std::vector<VertexId> accelerators;
  std::vector<VertexId> pcie_switches;
  std::vector<VertexId> hosts;
  std::vector<LinkId> accelerator_to_switch;
  std::vector<LinkId> switch_to_host;             // by PCIe switch
  std::vector<LinkId> switch_to_nic;              // by NIC
  std::vector<std::vector<LinkId>> host_to_host;  // by socket and socket
  std::vector<LinkId> host_to_bridge;             // by socket; -1 where nothing crosses
  std::vector<LinkId> bridge_to_switch;           // by PCIe switch
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

VertexId add(Fabric& fabric, Role role, int node, int index, std::string_view word) {
  return fabric.add_vertex({role, node, index, fmt::format("node {} {} {}", node, word, index)});
}

void add_accelerators(Fabric& fabric, const core::Server& server, const NicPlan& plan, int node,
                      Parts& parts) {
  const core::Accelerator& device = server.accelerator;
  const int num_accelerators = static_cast<int>(plan.accelerators.size());
  for (int a = 0; a < num_accelerators; ++a) {
    parts.accelerators.push_back(add(fabric, Role::kAccelerator, node, a, "accelerator"));
  }
  if (num_accelerators > 1) {
    const VertexId hub = add(fabric, Role::kScaleUpSwitch, node, 0, "scale-up switch");
    for (const VertexId accelerator : parts.accelerators) {
      fabric.add_link(accelerator, hub, Tier::kScaleUp,
                      device.scale_up_bandwidth.value * device.scale_up_efficiency.value, {});
    }
  }
  const int num_switches = static_cast<int>(plan.host_of.size());
  for (int s = 0; s < num_switches; ++s) {
    parts.pcie_switches.push_back(add(fabric, Role::kPcieSwitch, node, s, "PCIe switch"));
  }
  for (int a = 0; a < num_accelerators; ++a) {
    const int s = plan.accelerators[at(a)].pcie_switch;
    parts.accelerator_to_switch.push_back(fabric.add_link(parts.accelerators[at(a)],
                                                          parts.pcie_switches[at(s)], Tier::kPcie,
                                                          device.pcie_bandwidth.value, {}));
  }
}

void add_hosts(Fabric& fabric, const core::Server& server, const NicPlan& plan, int node,
               Parts& parts) {
  const int num_hosts = server.num_hosts.value;
  const int num_switches = static_cast<int>(plan.host_of.size());
  for (int h = 0; h < num_hosts; ++h) {
    parts.hosts.push_back(add(fabric, Role::kHost, node, h, "host"));
  }
  for (int s = 0; s < num_switches; ++s) {
    parts.switch_to_host.push_back(
        fabric.add_link(parts.pcie_switches[at(s)], parts.hosts[at(plan.host_of[at(s)])],
                        Tier::kHost, server.pcie_uplink_bandwidth.value, {}));
  }
  parts.host_to_host.assign(at(num_hosts), std::vector<LinkId>(at(num_hosts), -1));
  for (int h = 0; h < num_hosts; ++h) {
    for (int other = h + 1; other < num_hosts; ++other) {
      const LinkId link = fabric.add_link(parts.hosts[at(h)], parts.hosts[at(other)], Tier::kHost,
                                          server.host_bandwidth.value, {});
      parts.host_to_host[at(h)][at(other)] = link;
      parts.host_to_host[at(other)][at(h)] = Fabric::reverse(link);
    }
  }
}

/// The host bridges that accelerators need on their way to a NIC of their own socket.
void add_bridges(Fabric& fabric, const core::Server& server, const NicPlan& plan, int node,
                 Parts& parts) {
  std::vector<VertexId> bridges(parts.hosts.size(), -1);
  parts.host_to_bridge.assign(parts.hosts.size(), -1);
  parts.bridge_to_switch.assign(parts.pcie_switches.size(), -1);
  for (const NicPlan::Accelerator& accelerator : plan.accelerators) {
    if (!accelerator.crosses_host) continue;
    const int s = plan.nics[at(accelerator.nic)].pcie_switch;
    const int h = plan.host_of[at(s)];
    if (plan.host_of[at(accelerator.pcie_switch)] != h) continue;
    if (bridges[at(h)] < 0) {
      bridges[at(h)] = add(fabric, Role::kHostBridge, node, h, "host bridge");
      parts.host_to_bridge[at(h)] = fabric.add_link(parts.hosts[at(h)], bridges[at(h)], Tier::kHost,
                                                    server.host_bandwidth.value, {});
    }
    if (parts.bridge_to_switch[at(s)] < 0) {
      parts.bridge_to_switch[at(s)] =
          fabric.add_link(bridges[at(h)], parts.pcie_switches[at(s)], Tier::kHost,
                          server.pcie_uplink_bandwidth.value, {});
    }
  }
}

std::vector<LinkId> way_to_nic(const NicPlan& plan, const Parts& parts, int accelerator) {
  const NicPlan::Accelerator& a = plan.accelerators[at(accelerator)];
  const int from = a.pcie_switch;
  const int to = plan.nics[at(a.nic)].pcie_switch;
  std::vector<LinkId> way{parts.accelerator_to_switch[at(accelerator)]};
  if (a.crosses_host) {
    way.push_back(parts.switch_to_host[at(from)]);
    const int here = plan.host_of[at(from)];
    const int there = plan.host_of[at(to)];
    if (here == there) {
      way.push_back(parts.host_to_bridge[at(here)]);
      way.push_back(parts.bridge_to_switch[at(to)]);
    } else {
      way.push_back(parts.host_to_host[at(here)][at(there)]);
      way.push_back(Fabric::reverse(parts.switch_to_host[at(to)]));
    }
  }
  way.push_back(parts.switch_to_nic[at(a.nic)]);
  return way;
}

}  // namespace

WiredNode add_node(Fabric& fabric, const core::Server& server, const NicPlan& plan, int node) {
  Parts parts;
  add_accelerators(fabric, server, plan, node, parts);
  add_hosts(fabric, server, plan, node, parts);
  add_bridges(fabric, server, plan, node, parts);

  WiredNode wired;
  const core::Bandwidth pcie = server.accelerator.pcie_bandwidth.value;
  for (int n = 0; n < static_cast<int>(plan.nics.size()); ++n) {
    const VertexId nic = add(fabric, Role::kNic, node, n, "NIC");
    wired.nics.push_back(nic);
    parts.switch_to_nic.push_back(
        fabric.add_link(parts.pcie_switches[at(plan.nics[at(n)].pcie_switch)], nic, Tier::kPcie,
                        pcie * plan.nics_per_vertex, {}, plan.nics_per_vertex));
  }
  const int num_front_end = server.front_end.count;
  for (int n = 0; n < num_front_end; ++n) {
    const VertexId nic = add(fabric, Role::kFrontEndNic, node, n, "front-end NIC");
    wired.front_end_nics.push_back(nic);
    const int h = n * server.num_hosts.value / num_front_end;
    fabric.add_link(parts.hosts[at(h)], nic, Tier::kPcie, pcie, {});
  }
  for (int a = 0; a < static_cast<int>(plan.accelerators.size()); ++a) {
    const NicPlan::Accelerator& placed = plan.accelerators[at(a)];
    core::Endpoint endpoint{.accelerator = parts.accelerators[at(a)],
                            .node = node,
                            .local_index = a,
                            .nic = placed.nic,
                            .crosses_host = placed.crosses_host};
    if (placed.nic >= 0) endpoint.to_nic = way_to_nic(plan, parts, a);
    wired.endpoints.push_back(std::move(endpoint));
  }
  return wired;
}

}  // namespace railwright::topologies
