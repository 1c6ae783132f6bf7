// SPDX-License-Identifier: Apache-2.0
#include "collnet.hpp"

#include <algorithm>
#include <map>

#include "link_loads.hpp"
#include "loads.hpp"

namespace railwright::models {

namespace {

constexpr double kLocalStep = 0.4e-6;
constexpr double kNode = 3.7e-6;

}  // namespace

bool collnet_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                     CollectiveOp op) {
  return op == CollectiveOp::kAllReduce && tuning.in_network_reduction.value && shape.nodes > 1 &&
         shape.network_reduces;
}

double collnet_steps_inside(const CommunicatorShape& /*shape*/, CollectiveOp /*op*/) { return 0.0; }

core::Duration collnet_latency(const CollectiveCall& call) {
  const double near = call.shape.per_node() - 1.0;
  return core::Duration::from_base(2.0 * (std::min(1.0, near) * kNode + near * kLocalStep)) +
         call.tuning.collnet_hop_latency.value + call.shape.network_latency * 2.0;
}

double collnet_bandwidth(const CollectiveCall& call) {
  return 0.85 * 0.5 * bus_bandwidth(generation_of(call.tuning), call.shape) * 2.0;
}

std::vector<core::LinkUse> collnet_loads(const core::Fabric& fabric, const Groups& groups,
                                         std::span<const int> /*members*/, CollectiveOp /*op*/) {
  LinkLoads loads(fabric, groups.num_connections);
  add_node_rings(loads, groups);
  const double bytes = 1.0 / static_cast<double>(groups.num_channels);
  for (std::size_t channel = 0; channel < groups.num_channels; ++channel) {
    // The paths of all nodes to the first one: a link that several share carries their sum once.
    std::map<core::LinkId, double> up;
    for (std::size_t g = 1; g < groups.nodes.size(); ++g) {
      for (const core::LinkUse& use :
           loads.way(groups.gate(g, channel), groups.gate(0, channel), channel)) {
        up.insert_or_assign(use.link, use.coefficient);
      }
    }
    for (const auto& [link, share] : up) {
      loads.add_link(link, share * bytes);
      loads.add_link(core::Fabric::reverse(link), share * bytes);
    }
  }
  return loads.route();
}

}  // namespace railwright::models
