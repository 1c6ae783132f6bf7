// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/communicator.hpp"

#include <algorithm>
#include <utility>

#include "link_loads.hpp"

namespace railwright::models {

Communicator::Communicator(const core::Fabric& fabric, std::vector<int> members,
                           const CollectiveTuning& tuning)
    : fabric_(&fabric), members_(std::move(members)), tuning_(&tuning) {}

CollectiveFlow Communicator::flow(CollectiveOp op, double /*bytes*/) const {
  if (members_.size() < 2) return {};
  switch (op) {
    case CollectiveOp::kAllReduce:
      if (tuning_->all_reduce_algorithm.value == CollectiveAlgorithm::kTree && spans_nodes()) {
        return tree_all_reduce(*fabric_, members_, *tuning_);
      }
      [[fallthrough]];
    case CollectiveOp::kReduceScatter:
    case CollectiveOp::kAllGather:
      return ring_collective(*fabric_, op, members_, *tuning_);
    case CollectiveOp::kAllToAll:
      return all_to_all();
    case CollectiveOp::kBroadcast:
    case CollectiveOp::kSendReceive:
      break;
  }
  return chain();
}

bool Communicator::spans_nodes() const {
  return std::ranges::any_of(members_, [this](int member) {
    return fabric_->endpoint(member).node != fabric_->endpoint(members_.front()).node;
  });
}

core::Duration Communicator::hop_latency(int from, int to) const {
  const bool same_node = fabric_->endpoint(from).node == fabric_->endpoint(to).node;
  return same_node ? tuning_->scale_up_hop_latency.value : tuning_->scale_out_hop_latency.value;
}

CollectiveFlow Communicator::all_to_all() const {
  LinkLoads loads(*fabric_);
  core::Duration longest;
  const double part = 1.0 / static_cast<double>(members_.size());
  for (const int from : members_) {
    for (const int to : members_) {
      if (from == to) continue;
      loads.add(from, to, part);
      longest = std::max(longest, hop_latency(from, to));
    }
  }
  return {.route = loads.route(), .latency = tuning_->base_latency.value + longest};
}

CollectiveFlow Communicator::chain() const {
  LinkLoads loads(*fabric_);
  core::Duration longest;
  for (std::size_t i = 0; i + 1 < members_.size(); ++i) {
    loads.add(members_[i], members_[i + 1], 1.0);
    longest = std::max(longest, hop_latency(members_[i], members_[i + 1]));
  }
  return {.route = loads.route(), .latency = longest};
}

}  // namespace railwright::models
