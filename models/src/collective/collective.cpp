// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/collective.hpp"

#include <algorithm>
#include <map>

namespace railwright::models {

CollectiveFlow merge(std::span<const CollectiveFlow> flows) {
  std::map<core::LinkId, double> loads;
  CollectiveFlow merged;
  for (const CollectiveFlow& flow : flows) {
    for (const core::LinkUse& use : flow.route) loads[use.link] += use.coefficient;
    merged.latency = std::max(merged.latency, flow.latency);
    merged.ceiling = std::min(merged.ceiling, flow.ceiling);
  }
  for (const auto& [link, bytes] : loads) merged.route.push_back({link, bytes});
  return merged;
}

CollectiveFlow in_sequence(const CollectiveFlow& first, const CollectiveFlow& second) {
  const CollectiveFlow flows[] = {first, second};
  CollectiveFlow both = merge(flows);
  both.latency = first.latency + second.latency;
  both.ceiling = 1.0 / (1.0 / first.ceiling + 1.0 / second.ceiling);
  return both;
}

core::Duration isolated_time(const CollectiveFlow& flow, double bytes,
                             std::span<const double> capacity) {
  double seconds_per_byte = 1.0 / flow.ceiling;
  for (const core::LinkUse& use : flow.route) {
    seconds_per_byte =
        std::max(seconds_per_byte, use.coefficient / capacity[static_cast<std::size_t>(use.link)]);
  }
  return flow.latency + core::Duration::from_base(seconds_per_byte * bytes);
}

double bus_factor(CollectiveOp op, int num_members) {
  const double share = static_cast<double>(num_members - 1) / num_members;
  switch (op) {
    case CollectiveOp::kAllReduce:
      return 2.0 * share;
    case CollectiveOp::kReduceScatter:
    case CollectiveOp::kAllGather:
    case CollectiveOp::kAllToAll:
      return share;
    case CollectiveOp::kBroadcast:
    case CollectiveOp::kSendReceive:
      break;
  }
  return 1.0;
}

}  // namespace railwright::models
