// SPDX-License-Identifier: Apache-2.0
#include "pairwise.hpp"

#include <algorithm>
#include <map>

#include "link_loads.hpp"

namespace railwright::models {

namespace {

std::vector<core::LinkUse> all_to_all(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members) {
  LinkLoads loads(fabric, groups.num_connections);
  // Members by node and NIC, as possible relays.
  std::map<int, std::map<int, std::vector<int>>> on_rail;
  for (const auto& node : groups.nodes) {
    for (const int member : node) {
      on_rail[fabric.endpoint(member).node][fabric.endpoint(member).nic].push_back(member);
    }
  }
  const double part = 1.0 / static_cast<double>(members.size());
  for (const int from : members) {
    const core::Endpoint& sender = fabric.endpoint(from);
    const auto& rails = on_rail.at(sender.node);
    for (const int to : members) {
      if (from == to) continue;
      const core::Endpoint& receiver = fabric.endpoint(to);
      int relay = from;
      const auto rail = rails.find(receiver.nic);
      if (sender.node != receiver.node && sender.nic != receiver.nic && rail != rails.end()) {
        relay = rail->second[static_cast<std::size_t>(receiver.local_index) % rail->second.size()];
      }
      if (relay != from) loads.add(from, relay, 0, part);
      loads.add(relay, to, 0, part);
    }
  }
  return loads.route();
}

std::vector<core::LinkUse> send(const core::Fabric& fabric, const Groups& groups,
                                std::span<const int> members) {
  LinkLoads loads(fabric, groups.num_connections);
  for (std::size_t i = 0; i + 1 < members.size(); ++i)
    loads.add(members[i], members[i + 1], 0, 1.0);
  return loads.route();
}

}  // namespace

bool pairwise_can_run(const CollectiveTuning& /*tuning*/, const CommunicatorShape& /*shape*/,
                      CollectiveOp op) {
  return is_pairwise(op);
}

double pairwise_steps_inside(const CommunicatorShape& shape, CollectiveOp /*op*/) {
  return shape.nodes > 1 ? 0.0 : 1.0;
}

core::Duration pairwise_latency(const CollectiveCall& call) {
  const double inside = pairwise_steps_inside(call.shape, call.op);
  return latency_of(call.tuning.ring, call, inside, 1.0 - inside);
}

std::vector<core::LinkUse> pairwise_loads(const core::Fabric& fabric, const Groups& groups,
                                          std::span<const int> members, CollectiveOp op) {
  return op == CollectiveOp::kAllToAll ? all_to_all(fabric, groups, members)
                                       : send(fabric, groups, members);
}

std::vector<core::LinkUse> counterpart_loads(const core::Fabric& fabric, const Groups& groups,
                                             double network_share, double scale_up_share) {
  LinkLoads loads(fabric, groups.num_connections);
  const double of_node = network_share / std::max(1.0, groups.nodes.size() - 1.0);
  for (std::size_t node = 0; node < groups.nodes.size(); ++node) {
    const std::vector<int>& members = groups.nodes[node];
    const double of_member = scale_up_share / std::max(1.0, members.size() - 1.0);
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t other = 0; other < groups.nodes.size(); ++other) {
        if (other != node) loads.add(members[i], groups.gate(other, i), 0, of_node);
      }
      for (const int peer : members) {
        if (peer != members[i]) loads.add(members[i], peer, 0, of_member);
      }
    }
  }
  return loads.route();
}

core::Duration pairwise_overhead(const CollectiveCall& call) {
  const std::size_t i = call.protocol == CollectiveProtocol::kLL ? 0 : 1;
  const core::Duration launch = at(generation_of(call.tuning).pairwise_launch.value, i);
  if (call.op != CollectiveOp::kAllToAll) return launch;
  return launch + call.tuning.pairwise_peer.value * (call.shape.per_node() - 1.0);
}

void pairwise_limit(const CollectiveCall& call, const core::Fabric& fabric,
                    const Groups& /*groups*/, CollectiveFlow& flow) {
  const Rates rates = rates_alone(fabric, flow);
  const double alone = rates.least();
  const AcceleratorGeneration& generation = generation_of(call.tuning);
  if (call.op != CollectiveOp::kAllToAll || call.shape.nodes > 1) {
    limit_as_ring(call, rates, flow);
    return;
  }
  if (call.protocol == CollectiveProtocol::kLL) {
    flow.ceiling = generation.pairwise_ll_reach.value * alone;
    flow.latency += spread_of(call);
    return;
  }
  const double of_ring = alone * bus_factor(call.op, call.shape.members);
  const double own = 1.0 / (call.shape.members * generation.pairwise_self_share.value * of_ring);
  flow.ceiling = 1.0 / (1.0 / (generation.pairwise_share.value * alone) + own);
  const double first = std::min(call.bytes, num_channels_of_rings(call.tuning, call.shape) *
                                                call.tuning.pairwise_chunk.value.base());
  flow.latency += core::Duration::from_base(call.tuning.pairwise_fill.value * first / of_ring);
}

}  // namespace railwright::models
