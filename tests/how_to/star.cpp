// SPDX-License-Identifier: Apache-2.0
#include "star.hpp"

#include "../../models/src/collective/link_loads.hpp"

namespace railwright::models {

bool star_can_run(const CollectiveTuning& /*tuning*/, const CommunicatorShape& /*shape*/,
                  CollectiveOp op) {
  return op == CollectiveOp::kAllReduce;
}

double star_steps_inside(const CommunicatorShape& /*shape*/, CollectiveOp /*op*/) { return 2.0; }

core::Duration star_latency(const CollectiveCall& call) {
  return latency_of(call.tuning.ring, call, 2.0, call.shape.nodes > 1 ? 2.0 : 0.0);
}

double star_bandwidth(const CollectiveCall& call) {
  return bus_bandwidth(generation_of(call.tuning), call.shape) / (call.shape.members - 1);
}

std::vector<core::LinkUse> star_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members, CollectiveOp /*op*/) {
  LinkLoads loads(fabric, groups.num_connections);
  for (const int member : members.subspan(1)) {
    loads.add(member, members.front(), 0, 1.0);
    loads.add(members.front(), member, 0, 1.0);
  }
  return loads.route();
}

}  // namespace railwright::models
