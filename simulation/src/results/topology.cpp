// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/topology.hpp"

#include <utility>

#include "railwright/models/power/power_by_part.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {

namespace {

/// Returns the topology of `fabric: single_switch` or `fabric: {topology: single_switch, ...}`.
std::string kind_of(const core::Node& fabric) {
  const core::Node* name = fabric.is_mapping() ? fabric.find("topology") : &fabric;
  return name == nullptr ? std::string() : name->text;
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

}  // namespace railwright::simulation
