// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/collective.hpp"

#include <algorithm>

#include "link_loads.hpp"

namespace railwright::models {

void add_up(std::vector<core::LinkUse>& uses) {
  std::ranges::stable_sort(uses, {}, &core::LinkUse::link);
  std::size_t num_links = 0;
  for (const core::LinkUse& use : uses) {
    if (num_links > 0 && uses[num_links - 1].link == use.link) {
      uses[num_links - 1].coefficient += use.coefficient;
    } else {
      uses[num_links++] = use;
    }
  }
  uses.resize(num_links);
}

CollectiveFlow merge(std::span<const CollectiveFlow> flows) {
  CollectiveFlow merged;
  for (const CollectiveFlow& flow : flows) {
    merged.route.insert(merged.route.end(), flow.route.begin(), flow.route.end());
    merged.latency = std::max(merged.latency, flow.latency);
    merged.ceiling = std::min(merged.ceiling, flow.ceiling);
  }
  add_up(merged.route);
  merged.route.shrink_to_fit();
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
