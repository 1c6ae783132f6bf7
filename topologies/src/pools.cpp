// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/pools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "assembly/management_parts.hpp"
#include "bill/bill.hpp"
#include "bill/parts.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/assembly/front_end_plan.hpp"
#include "railwright/topologies/assembly/node_wiring.hpp"
#include "railwright/topologies/assembly/storage_network.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

namespace {

/// Adds the parts of a pool, whose tiers then bear its name; those of the front end have none.
void add_parts_of(const std::string& pool, core::PartsList of_pool, core::PartsList& whole) {
  const auto named = [&](const std::string& place) {
    return pool.empty() || place.empty() ? place : fmt::format("{} {}", pool, place);
  };
  for (core::Part& part : of_pool.parts) add_part(whole, std::move(part));
  whole.ports_used += of_pool.ports_used;
  whole.ports_free += of_pool.ports_free;
  for (core::SwitchTier& tier : of_pool.fabric.switches) {
    tier.name = named(tier.name);
    whole.fabric.switches.push_back(std::move(tier));
  }
  for (core::CableRun& run : of_pool.fabric.cables) {
    run.from = named(run.from);
    run.to = named(run.to);
    whole.fabric.cables.push_back(std::move(run));
  }
  whole.fabric.rack_units += of_pool.fabric.rack_units;
  whole.fabric.power += of_pool.fabric.power;
  for (core::Shortfall& shortfall : of_pool.shortfalls) {
    if (!pool.empty()) shortfall.what = fmt::format("pool {}: {}", pool, shortfall.what);
    whole.shortfalls.push_back(std::move(shortfall));
  }
}

/// Adds the front-end NICs of a pool's nodes.
std::vector<WiredNode> add_clients(const Pool& pool, core::Fabric& fabric) {
  std::vector<WiredNode> nodes(core::index(pool.cluster.num_nodes));
  for (int n = 0; n < pool.cluster.num_nodes; ++n) {
    const int node = pool.first_node + n;
    for (int nic = 0; nic < pool.cluster.node.front_end.count; ++nic) {
      nodes[core::index(n)].front_end_nics.push_back(
          fabric.add_vertex({core::Role::kFrontEndNic, node, nic,
                             fmt::format("node {} front-end NIC {}", node, nic)}));
    }
  }
  return nodes;
}

/// Returns all nodes as places in racks, which are as those of the tallest.
Cluster places_of(std::span<const Pool> pools) {
  Cluster all = pools.front().cluster;
  all.placement = {};
  all.num_nodes = 0;
  for (const Pool& pool : pools) {
    all.num_nodes += pool.cluster.num_nodes;
    int& tallest = all.node.rack_units.value;
    tallest = std::max(tallest, pool.cluster.node.rack_units.value);
  }
  return all;
}

}  // namespace

BuiltCluster build_alone(const Pool& pool) {
  Cluster alone = pool.cluster;
  alone.storage.reset();
  alone.control_plane.reset();
  alone.data_preparation.reset();
  alone.management.reset();
  return pool.topology->build(alone);
}

BuiltPools build_apart(std::span<const Pool> pools) {
  BuiltPools built;
  BuiltCluster& shared = built.shared;
  std::vector<std::vector<WiredNode>> nodes;
  std::vector<PluggedNodes> plugged;
  int num_trays = 0;
  core::PartsList machines;
  for (const Pool& pool : pools) {
    built.parts.push_back(build_alone(pool).parts);
    add_parts_of("", built.parts.back(), machines);
    nodes.push_back(add_clients(pool, shared.fabric));
    num_trays += pool.cluster.num_nodes * pool.cluster.node.num_trays;
  }
  for (std::size_t p = 0; p < pools.size(); ++p) {
    plugged.push_back({.front_end = &pools[p].cluster.node.front_end, .nodes = nodes[p]});
  }
  const Cluster places = places_of(pools);
  add_storage_network(shared, places, plugged);
  add_bill(shared, places, {});
  add_parts_of("", shared.parts, machines);
  add_management_parts(shared.parts, machines, places, num_trays);
  return built;
}

BuiltCluster build(std::span<const Pool> pools) {
  if (pools.size() == 1) return pools.front().topology->build(pools.front().cluster);
  BuiltPools built = build_apart(pools);
  BuiltCluster whole{.fabric = std::move(built.shared.fabric), .parts = {}};
  for (std::size_t p = 0; p < pools.size(); ++p) {
    add_parts_of(pools[p].name, std::move(built.parts[p]), whole.parts);
  }
  add_parts_of("", std::move(built.shared.parts), whole.parts);
  return whole;
}

}  // namespace railwright::topologies
