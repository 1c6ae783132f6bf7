// SPDX-License-Identifier: Apache-2.0
#include "parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace railwright::topologies {

void add_part(core::PartsList& parts, core::Part part) {
  if (part.count == 0) return;
  const auto same = std::ranges::find_if(parts.parts, [&](const core::Part& known) {
    return known.kind == part.kind && known.name == part.name;
  });
  if (same == parts.parts.end()) {
    parts.parts.push_back(std::move(part));
    return;
  }
  same->count += part.count;
  same->rack_units += part.rack_units;
  same->power += part.power;
}

void add_part(core::PartsList& parts, std::string_view kind, std::string_view name, int count) {
  // Each cable of a fabric comes here: most are known.
  const auto same = std::ranges::find_if(parts.parts, [&](const core::Part& known) {
    return known.kind == kind && known.name == name;
  });
  if (same != parts.parts.end()) {
    same->count += count;
    return;
  }
  add_part(parts, {.kind = std::string(kind),
                   .name = std::string(name),
                   .count = count,
                   .rack_units = 0,
                   .power = {}});
}

void add_nodes(core::PartsList& parts, const Cluster& cluster) {
  const core::ComputeNode& node = cluster.node;
  add_part(parts, {.kind = "node",
                   .name = node.name,
                   .count = cluster.num_nodes,
                   .rack_units = cluster.num_nodes * node.rack_units.value,
                   .power = {}});
  add_part(parts, "nic", node.nics.nic.name, cluster.num_nodes * node.nics.count);
  add_part(parts, "nic", node.front_end.nic.name, cluster.num_nodes * node.front_end.count);
  require(parts,
          fmt::format("{} scale-out and {} front-end NICs in the {} slots of a node",
                      node.nics.count, node.front_end.count, node.nic_slots.value),
          node.nics.count + node.front_end.count, node.nic_slots.value, "node");
}

void require(core::PartsList& parts, std::string what, int needed, int available,
             std::string_view tier) {
  if (needed <= available) return;
  parts.shortfalls.push_back({std::move(what), static_cast<double>(needed),
                              static_cast<double>(available), std::string(tier)});
}

}  // namespace railwright::topologies
