// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/pair.hpp"

#include <algorithm>

#include "choice.hpp"
#include "groups.hpp"
#include "limits.hpp"
#include "link_loads.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "shape.hpp"

namespace railwright::models {

namespace {

/// Whether one flow on one route is all that there is of a transfer between these.
bool is_one_flow(const core::Fabric& fabric, int from, int to, const CollectiveTuning& tuning) {
  const bool is_inside = fabric.endpoint(from).node == fabric.endpoint(to).node;
  return !is_inside && num_connections(fabric, tuning) == 1 && !tuning.in_network_reduction.value;
}

/// Gives a flow on its way, link by link, the latency and the ceiling of a transfer.
void limit_pair(const core::Fabric& fabric, const CollectiveTuning& tuning, double bytes,
                CollectiveFlow& flow) {
  static const Groups kNoGroups;  // no limit of a transfer between two nodes asks for them
  const CommunicatorShape shape = shape_of_pair(fabric, flow.route);
  const CollectiveChoice choice = choose(tuning, shape, CollectiveOp::kSendReceive, bytes);
  const CollectiveCall call{tuning, shape, CollectiveOp::kSendReceive, choice.protocol, bytes};
  add_up(flow.route);
  limit_call(fabric, choice.algorithm, call, kNoGroups, flow);
}

}  // namespace

CollectiveFlow pair_flow(const core::Fabric& fabric, int from, int to,
                         const CollectiveTuning& tuning, double bytes) {
  if (!is_one_flow(fabric, from, to, tuning)) {
    return Communicator(fabric, {from, to}, tuning).flow(CollectiveOp::kSendReceive, bytes);
  }
  CollectiveFlow flow;
  fabric.append_route(from, to, 0, flow.route);
  limit_pair(fabric, tuning, bytes, flow);
  return flow;
}

PairFlows::PairFlows(const core::Fabric& fabric, const CollectiveTuning& tuning, double bytes)
    : fabric_(fabric), tuning_(tuning), bytes_(bytes), kind_(fabric.links().size(), -1) {}

std::int32_t PairFlows::kind_of(core::LinkId id) {
  std::int32_t& kind = kind_[static_cast<std::size_t>(id)];
  if (kind >= 0) return kind;
  const core::Link& link = fabric_.links()[static_cast<std::size_t>(id)];
  const Kind own{.tier = link.tier,
                 .bandwidth = link.bandwidth,
                 .latency = link.latency,
                 .leaves_node = fabric_.vertices()[static_cast<std::size_t>(link.from)].role ==
                                core::Role::kNic};
  const auto known = std::ranges::find(kinds_, own);
  kind = static_cast<std::int32_t>(known - kinds_.begin());
  if (known == kinds_.end()) kinds_.push_back(own);
  return kind;
}

void PairFlows::limit(std::span<const core::LinkUse> way, CollectiveFlow& all) {
  way_.clear();
  bool is_whole = true;  // not spread over several ways
  for (const core::LinkUse& use : way) {
    way_.push_back(kind_of(use.link));
    is_whole = is_whole && use.coefficient == 1.0;
  }
  const auto known = is_whole ? limits_.find(way_) : limits_.end();
  if (known != limits_.end()) {
    all.latency = std::max(all.latency, known->second.latency);
    all.ceiling = std::min(all.ceiling, known->second.ceiling);
    return;
  }
  CollectiveFlow one{.route = {way.begin(), way.end()}};
  limit_pair(fabric_, tuning_, bytes_, one);
  if (is_whole) limits_.emplace(way_, Limits{.latency = one.latency, .ceiling = one.ceiling});
  all.latency = std::max(all.latency, one.latency);
  all.ceiling = std::min(all.ceiling, one.ceiling);
}

CollectiveFlow PairFlows::together(std::span<const std::pair<int, int>> pairs) {
  CollectiveFlow all;
  uses_.clear();
  for (const auto& [from, to] : pairs) {
    if (!is_one_flow(fabric_, from, to, tuning_)) {
      const CollectiveFlow one = pair_flow(fabric_, from, to, tuning_, bytes_);
      all.latency = std::max(all.latency, one.latency);
      all.ceiling = std::min(all.ceiling, one.ceiling);
      uses_.insert(uses_.end(), one.route.begin(), one.route.end());
      continue;
    }
    const std::size_t first = uses_.size();
    fabric_.append_route(from, to, 0, uses_);
    limit(std::span(uses_).subspan(first), all);
  }
  add_up(uses_);
  all.route = uses_;
  return all;
}

}  // namespace railwright::models
