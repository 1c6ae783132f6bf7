// SPDX-License-Identifier: Apache-2.0
// Membership of flows in links: flows join the links of their routes and leave them.
#include <algorithm>

#include "levels.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::core {

namespace {

void forget_route(FlowState& flow) {
  flow.block_class = -1;
  flow.num_hops = 0;
  flow.is_attached = false;
}

}  // namespace

inline void FlowNetwork::join(FlowId flow, std::int32_t hop, LinkId link, double level_use) {
  LinkState& l = links_[index(link)];
  level_use *= scales_[index(link)];
  if (l.num_members == 0) {
    l.unit_use = level_use;
    l.is_mixed = false;
  } else {
    l.is_mixed |= level_use != l.unit_use;
  }
  if (l.num_members == l.max_members) make_room_for_members(l);
  hops_[hop] = {link, l.num_members};
  members_[l.first_member + l.num_members] = flow;
  ++l.num_members;
}

void FlowNetwork::join_links(FlowId id, const Flow& flow) {
  const auto block_class = BlockPool<Hop>::class_for(flow.route.size());
  const std::int32_t first_hop = hops_.take(block_class);
  const double coefficient = flow.route.front().coefficient;
  const bool is_even = std::ranges::all_of(
      flow.route, [=](const LinkUse& use) { return use.coefficient == coefficient; });
  if (!is_even && uses_.size() < hops_.size()) uses_.resize(hops_.size());
  std::int32_t hop = first_hop;
  for (const LinkUse& link_use : flow.route) {
    if (link_use.coefficient == 0.0) continue;
    const double use = link_use.coefficient * flow.multiplicity;
    if (!is_even) uses_[index(hop)] = use;
    join(id, hop, link_use.link, use * flow.weight);
    ++hop;
  }
  FlowState& f = flows_[index(id)];
  f.block_class = static_cast<std::int8_t>(block_class);
  f.first_hop = first_hop;
  f.num_hops = hop - first_hop;
  f.use = is_even ? coefficient * flow.multiplicity : -1.0;
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
  link.max_members = static_cast<std::int32_t>(BlockPool<FlowId>::size_of(block_class));
}

void FlowNetwork::leave(const FlowState& flow, LinkId link, double load) {
  LinkFill& fill = fill_[index(link)];
  LinkState& l = links_[index(link)];
  if (link != flow.bottleneck) {
    fill.fixed -= whole_load(load, scales_[index(link)]);
  } else if (--fill.num_open == 0) {
    l.level = kInfinity;
  }
  if (l.level < kInfinity && !l.is_dirty) {
    l.is_dirty = true;
    dirty_links_.push_back(link);
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
  for (std::int32_t h = f.first_hop; h < f.first_hop + f.num_hops; ++h) {
    const Hop hop = hops_[h];
    if (f.is_attached) leave(f, hop.link, use(f, h) * rate);
    LinkState& l = links_[index(hop.link)];
    l.carried += use(f, h) * moved;
    const std::int32_t last = --l.num_members;
    if (hop.position == last) continue;
    const FlowId moved_up = members_[l.first_member + last];
    members_[l.first_member + hop.position] = moved_up;
    hops_[hop_of(flows_[index(moved_up)], hop.link, last)].position = hop.position;
  }
  if (f.block_class >= 0) hops_.give_back(f.first_hop, f.block_class);
  forget_route(f);
}

void FlowNetwork::leave_empty_links(FlowId flow, double moved) {
  FlowState& f = flows_[index(flow)];
  LinkState* const links = links_.data();
  LinkFill* const fill = fill_.data();
  for (std::int32_t hop = f.first_hop; hop < f.first_hop + f.num_hops; ++hop) {
    const LinkId link = hops_[hop].link;
    LinkState& l = links[link];
    l.carried += use(f, hop) * moved;
    l.num_members = 0;
    l.level = kInfinity;
    fill[link] = {};
  }
  forget_route(f);
}

void FlowNetwork::forget_left() {
  while (!checkpoints_.empty()) drop_checkpoint();
  hops_.clear();
}

}  // namespace railwright::core
