// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/topology.hpp"

#include <utility>

#include "railwright/models/power/node_power.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/pools.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/pools.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {

namespace {

/// Returns the topology of `fabric: single_switch` or `fabric: {topology: single_switch, ...}`.
std::string kind_of(const core::Node& fabric) {
  const core::Node* name = fabric.is_mapping() ? fabric.find("topology") : &fabric;
  return name == nullptr ? std::string() : name->text;
}

/// Adds the power of the nodes of a pool, of which others may be named alike.
void add_power_of(const topologies::Cluster& pool, core::PartsList& parts) {
  const core::Power each =
      models::node_power_by_part(pool.node, models::Activity::kCompute).total();
  for (core::Part& part : parts.parts) {
    if (part.kind == "node" && part.name == pool.node.name) part.power += each * pool.num_nodes;
  }
}

}  // namespace

TopologyResult topology(const CheckedCluster& checked) {
  topologies::BuiltCluster built = checked.topology->build(checked.cluster);
  models::add_node_power(checked.cluster.node, built.parts);
  const core::Bandwidth bisection = built.fabric.bisection_bandwidth();
  return {.name = checked.name,
          .kind = kind_of(checked.cluster.fabric),
          .fabric = std::move(built.fabric),
          .parts = std::move(built.parts),
          .bisection = bisection};
}

TopologyResult topology(const core::Node& tree, const core::Catalogue& catalogue) {
  const core::Node* given = tree.find("name");
  const std::string name = given == nullptr ? std::string() : given->text;
  const std::vector<topologies::Pool> pools = read_pools(tree, catalogue);
  if (pools.size() == 1) {
    const topologies::Pool& one = pools.front();
    return topology({.name = name, .cluster = one.cluster, .topology = one.topology});
  }
  topologies::BuiltCluster whole = topologies::build(pools);
  TopologyResult result{.name = name, .kind = "pools"};
  for (const topologies::Pool& pool : pools) {
    add_power_of(pool.cluster, whole.parts);
    const core::Fabric fabric = topologies::build_alone(pool).fabric;
    result.pools.push_back({.name = pool.name,
                            .kind = kind_of(pool.cluster.fabric),
                            .num_nodes = fabric.num_nodes(),
                            .num_accelerators = fabric.num_accelerators(),
                            .bisection = fabric.bisection_bandwidth()});
  }
  result.fabric = std::move(whole.fabric);
  result.parts = std::move(whole.parts);
  return result;
}

}  // namespace railwright::simulation
