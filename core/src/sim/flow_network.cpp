// SPDX-License-Identifier: Apache-2.0
// Bookkeeping of links, flows and their hops.
#include "railwright/core/sim/flow_network.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "levels.hpp"
#include "railwright/core/error.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kFlowsAhead = 256;  // so that growing is rare
constexpr int kRoomBits = 61;
constexpr int kLargestShift = 960;

void check_capacity(double capacity) {
  if (!(capacity >= 0.0)) {
    throw SimulationError("a link's capacity is negative or not a number: " +
                          std::to_string(capacity));
  }
}

}  // namespace

LinkId FlowNetwork::add_link(double capacity) {
  check_capacity(capacity);
  const auto link = static_cast<LinkId>(links_.size());
  links_.emplace_back();
  capacities_.push_back(capacity);
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
  for (const Member& member : members(link)) hops_[member.hop].use *= scale * l.unscale;
  l.unit_use *= scale * l.unscale;
  l.scale = scale;
  l.unscale = 1.0 / scale;
  l.room = static_cast<std::int64_t>(bounded * scale);
  capacities_[index(link)] = capacity;
}

void FlowNetwork::set_capacity(LinkId link, double capacity) {
  check_capacity(capacity);
  if (capacities_[index(link)] == capacity) return;
  ++num_changes_of_capacity_;
  // Its flows start afresh, so that no load in the old scale is left anywhere.
  for (const Member& member : members(link)) {
    FlowState& f = flows_[index(member.flow)];
    if (f.is_attached) {
      for (const Hop& hop : hops(member.flow)) leave(f, hop, f.level * f.weight);
    }
    f.is_attached = false;
    make_new(member.flow);
  }
  set_scale(link, capacity);
  fill_[index(link)] = {};
  checkpoints_.clear();
}

FlowId FlowNetwork::take_flow() {
  if (!free_flows_.empty()) {
    const FlowId flow = free_flows_.back();
    free_flows_.pop_back();
    return flow;
  }
  if (num_ids_ == flows_.size()) {
    flows_.resize(num_ids_ + kFlowsAhead);
    steps_.resize(num_ids_ + kFlowsAhead, kUnlimited);
  }
  return static_cast<FlowId>(num_ids_++);
}

void FlowNetwork::make_new(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  if (f.is_new) return;
  f.is_new = true;
  new_flows_.push_back(flow);
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
  if (!flow.route.empty()) {
    f.block_class = static_cast<std::int8_t>(BlockPool<Hop>::class_for(flow.route.size()));
    f.first_hop = hops_.take(f.block_class);
    for (const LinkUse& use : flow.route) {
      if (use.coefficient > 0.0) join(id, f.first_hop + f.num_hops++, use, flow);
    }
  }
  steps_[index(id)] = kUnlimited;
  if (f.ceiling < kInfinity) ++num_ceilings_;
  make_new(id);
  ++num_flows_;
  return id;
}

void FlowNetwork::join(FlowId flow, std::int32_t hop, const LinkUse& link_use,
                       const Flow& properties) {
  LinkState& l = links_[index(link_use.link)];
  const double use = link_use.coefficient * properties.multiplicity * l.scale;
  const double level_use = use * properties.weight;
  if (l.num_members == 0) {
    l.unit_use = level_use;
    l.is_mixed = false;
  } else {
    l.is_mixed |= level_use != l.unit_use;
  }
  if (l.num_members == l.max_members) make_room_for_members(l);
  hops_[hop] = {link_use.link, l.num_members, use};
  members_[l.first_member + l.num_members] = {flow, hop};
  ++l.num_members;
}

void FlowNetwork::make_room_for_members(LinkState& link) {
  const int block_class = link.block_class + 1;
  const std::int32_t block = members_.take(block_class);
  if (link.num_members > 0) {
    std::copy_n(&members_[link.first_member], link.num_members, &members_[block]);
  }
  if (link.block_class >= 0) members_.give_back(link.first_member, link.block_class);
  link.first_member = block;
  link.block_class = static_cast<std::int8_t>(block_class);
  link.max_members = static_cast<std::int32_t>(BlockPool<Member>::size_of(block_class));
}

void FlowNetwork::leave(const FlowState& flow, const Hop& hop, double rate) {
  LinkFill& fill = fill_[index(hop.link)];
  LinkState& l = links_[index(hop.link)];
  if (hop.link != flow.bottleneck) {
    fill.fixed -= load_of(hop, rate);
  } else if (--fill.num_open == 0) {
    l.level = kInfinity;
  }
  if (l.level < kInfinity && !l.is_dirty) {
    l.is_dirty = true;
    dirty_links_.push_back(hop.link);
  }
}

void FlowNetwork::leave_checkpoints(FlowId flow) {
  while (!checkpoints_.empty() && checkpoints_.back().step >= steps_[index(flow)]) {
    drop_checkpoint();
  }
  for (Checkpoint& checkpoint : checkpoints_) {
    for (const Hop& hop : hops(flow)) {
      --checkpoint.fill[index(hop.link)].num_open;
      --checkpoint.fill[index(hop.link)].num_pending;
    }
  }
}

void FlowNetwork::leave_links(FlowId flow, double moved) {
  FlowState& f = flows_[index(flow)];
  if (!checkpoints_.empty() && f.is_attached) leave_checkpoints(flow);
  const double rate = f.level * f.weight;
  for (const Hop& hop : hops(flow)) {
    if (f.is_attached) leave(f, hop, rate);
    LinkState& l = links_[index(hop.link)];
    l.carried += hop.use * l.unscale * moved;
    const std::int32_t last = --l.num_members;
    if (hop.position == last) continue;
    const Member moved_up = members_[l.first_member + last];
    members_[l.first_member + hop.position] = moved_up;
    hops_[moved_up.hop].position = hop.position;
  }
  if (f.block_class >= 0) hops_.give_back(f.first_hop, f.block_class);
  f.block_class = -1;
  f.num_hops = 0;
  f.is_attached = false;
}

void FlowNetwork::remove(FlowId flow, double moved) {
  FlowState& f = flows_[index(flow)];
  if (!f.is_alive) throw SimulationError("a flow was removed twice");
  leave_links(flow, moved);
  if (f.ceiling < kInfinity) --num_ceilings_;
  f.is_alive = false;
  free_flows_.push_back(flow);
  --num_flows_;
}

double FlowNetwork::load(LinkId link) const {
  double sum = 0.0;
  for (const Member& member : members(link)) {
    sum += use(member) * flows_[index(member.flow)].rate;
  }
  return sum;
}

}  // namespace railwright::core
