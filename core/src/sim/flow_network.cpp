// SPDX-License-Identifier: Apache-2.0
// Adds links, and adds and removes flows.
#include "railwright/core/sim/flow_network.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "levels.hpp"
#include "railwright/core/error.hpp"

namespace railwright::core {

namespace {

constexpr int kRoomBits = 61;
constexpr int kLargestShift = 960;

void check_capacity(double capacity) {
  if (!(capacity >= 0.0)) {
    throw SimulationError("a link's capacity is negative or not a number: " +
                          std::to_string(capacity));
  }
}

}  // namespace

inline FlowId FlowNetwork::take_flow() {
  if (free_flow_ >= 0) {
    const FlowId flow = free_flow_;
    free_flow_ = flows_[index(flow)].first_hop;
    return flow;
  }
  flows_.push_back({});
  steps_.push_back(kUnlimited);
  return static_cast<FlowId>(flows_.size() - 1);
}

inline void FlowNetwork::make_new(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  if (f.is_new) return;
  f.is_new = true;
  new_flows_.push_back(flow);
}

LinkId FlowNetwork::add_link(double capacity) {
  check_capacity(capacity);
  const auto link = static_cast<LinkId>(links_.size());
  links_.emplace_back();
  capacities_.push_back(capacity);
  scales_.push_back(1.0);
  keys_.push_back(kInfinity);
  fill_.emplace_back();
  set_scale(link, capacity);
  checkpoints_.clear();
  return link;
}

void FlowNetwork::set_scale(LinkId link, double capacity) {
  LinkState& l = links_[index(link)];
  const double bounded = std::min(capacity, kUnlimitedCapacity);
  int exponent = kRoomBits;
  if (bounded > 0.0) std::frexp(bounded, &exponent);
  const double scale =
      std::ldexp(1.0, std::clamp(kRoomBits - exponent, -kLargestShift, kLargestShift));
  l.unit_use *= scale / scales_[index(link)];
  scales_[index(link)] = scale;
  l.room = static_cast<std::int64_t>(bounded * scale);
  l.parts_per_load = l.room > 0 ? kRoomParts / static_cast<double>(l.room) : 0.0;
  capacities_[index(link)] = capacity;
}

void FlowNetwork::set_capacity(LinkId link, double capacity) {
  check_capacity(capacity);
  if (capacities_[index(link)] == capacity) return;
  // Once for each flow, also one that uses the link in several hops.
  const auto for_each_flow = [&](const auto& change) {
    const LinkState& l = links_[index(link)];
    for (std::int32_t i = 0; i < l.num_members; ++i) {
      const FlowId flow = members_[l.first_member + i];
      std::int32_t hop = flows_[index(flow)].first_hop;
      while (hops_[hop].link != link) ++hop;
      if (hops_[hop].position == i) change(flow);
    }
  };
  // They start anew, so that no load in the old scale remains anywhere.
  for_each_flow([&](FlowId flow) {
    FlowState& f = flows_[index(flow)];
    if (f.is_attached) {
      const double rate = f.level * f.weight;
      for (std::int32_t hop = f.first_hop; hop < f.first_hop + f.num_kept; ++hop) {
        leave(f, hops_[hop].link, use(f, hop) * rate);
      }
    }
    f.is_attached = false;
    make_new(flow);
    ask_no_more(f);
  });
  set_scale(link, capacity);
  for_each_flow([&](FlowId flow) {
    set_limit(flows_[index(flow)]);
    ask(flows_[index(flow)]);
  });
  fill_[index(link)] = {};
  checkpoints_.clear();
}

void FlowNetwork::check(const Flow& flow) const {
  bool ok = flow.multiplicity >= 1 && flow.ceiling >= 0.0 && flow.weight > 0.0 &&
            flow.weight < kInfinity && flow.size >= 0;
  for (const LinkUse& use : flow.route) {
    ok &= static_cast<std::size_t>(use.link) < links_.size() && use.coefficient >= 0.0 &&
          use.coefficient < kInfinity;
  }
  if (!ok) {
    throw SimulationError(
        "a flow needs known links, finite coefficients >= 0, size and ceiling >= 0, multiplicity "
        ">= 1 and a finite weight > 0");
  }
}

FlowId FlowNetwork::add_checked(const Flow& flow, double rate) {
  const FlowId id = take_flow();
  FlowState& f = flows_[index(id)];
  f.rate = rate;
  f.ceiling = flow.ceiling;
  f.weight = flow.weight;
  f.is_alive = true;
  f.is_attached = false;
  f.num_hops = 0;
  f.num_kept = 0;
  f.limit = flow.ceiling / flow.weight;
  f.limit_link = -1;
  if (!flow.route.empty()) join_links(id, flow);
  steps_[index(id)] = kUnlimited;
  if (f.ceiling < kInfinity) ++num_ceilings_;
  make_new(id);
  ++num_flows_;
  return id;
}

void FlowNetwork::remove(FlowId flow, double moved) {
  FlowState& f = flows_[index(flow)];
  if (!f.is_alive) throw SimulationError("a flow was removed twice");
  if (f.block_class >= 0) leave_links(flow, moved);
  if (f.ceiling < kInfinity) --num_ceilings_;
  f.is_alive = false;
  f.first_hop = free_flow_;  // in a removed flow: the next free id
  free_flow_ = flow;
  --num_flows_;
}

double FlowNetwork::load(LinkId link) const {
  double sum = 0.0;
  const std::span<const FlowId> all = members(link);
  for (std::size_t i = 0; i < all.size(); ++i) {
    sum += use_of_member(link, i) * flows_[index(all[i])].rate;
  }
  return sum;
}

}  // namespace railwright::core
