// SPDX-License-Identifier: Apache-2.0
#include "management_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "../bill/parts.hpp"

namespace railwright::topologies {

namespace {

/// Counts the ports of everything but the network's own switches.
int ports_of_machines(const core::PartsList& parts, const ManagementNetwork& network,
                      int num_trays) {
  int ports = num_trays * network.ports_per_node;
  for (const core::Part& part : parts.parts) {
    if (part.kind == "switch" || part.kind == "storage_node" || part.kind == "cpu_node") {
      ports += part.count;
    }
  }
  return ports;
}

/// Lists cables into ports of a switch, by the first product that it has of their rate; without a
/// product where it has none, so that a bill says so.
void add_cables(core::PartsList& parts, std::string_view name, const core::Switch& model,
                core::CableRun run) {
  add_part(parts, "cable", name, run.count);
  run.far_ends = run.count;
  run.rate = model.port_rate.value;
  const auto product = std::ranges::find_if(
      model.cables, [&](const core::Cable& cable) { return cable.rate.value == run.rate; });
  if (product != model.cables.end()) run.cable = product->name;
  parts.fabric.cables.push_back(std::move(run));
}

}  // namespace

void add_management_parts(core::PartsList& parts, const core::PartsList& machines,
                          const Cluster& cluster, int num_trays) {
  if (!cluster.management) return;
  const ManagementNetwork& network = *cluster.management;
  const int ports = ports_of_machines(machines, network, num_trays);
  const core::Switch& access = network.access_switch;
  const int num_access = ceil_div(ports, access.num_ports.value);
  add_devices(parts, "switch", access, num_access);
  add_cables(parts, "management link", access,
             {.from = "machine", .to = "management", .cable = {}, .count = ports});
  if (num_access == 1) return;
  const int uplinks = num_access * network.num_uplinks;
  if (!network.aggregation_switch) {
    return require(parts,
                   fmt::format("{} management switches need an aggregation switch: {} ports of "
                               "machines, {} on a {}",
                               num_access, ports, access.num_ports.value, access.name),
                   num_access, 1, "management");
  }
  // Two, so that one that fails leaves every machine reachable.
  const core::Switch& above = *network.aggregation_switch;
  add_cables(parts, "management uplink", above,
             {.from = "management", .to = "aggregation", .cable = {}, .count = uplinks});
  add_devices(parts, "switch", above, std::max(2, ceil_div(uplinks, above.num_ports.value)));
}

}  // namespace railwright::topologies
