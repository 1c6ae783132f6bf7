// SPDX-License-Identifier: Apache-2.0
// Membership of flows in links: flows join the links of their routes and leave them.
#include <algorithm>

#include "levels.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::core {

namespace {

constexpr std::int32_t kAheadOfHop = 8;  ///< hops between a prefetch of a link and its use

void forget_route(FlowState& flow) {
  flow.block_class = -1;
  flow.num_hops = 0;
  flow.num_kept = 0;
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
  std::int32_t num_kept = 0;
  const LinkUse* const end = flow.route.data() + flow.route.size();
  for (const LinkUse& link_use : flow.route) {
    if (end - &link_use > kAheadOfHop) {
      __builtin_prefetch(&links_[index((&link_use + kAheadOfHop)->link)], 1);
    }
    if (link_use.coefficient == 0.0) continue;
    const double use = link_use.coefficient * flow.multiplicity;
    if (!is_even) uses_[index(hop)] = use;
    join(id, hop, link_use.link, use * flow.weight);
    if (links_[index(link_use.link)].is_kept) swap_hops(hop, first_hop + num_kept++);
    ++hop;
  }
  FlowState& f = flows_[index(id)];
  f.block_class = static_cast<std::int8_t>(block_class);
  f.first_hop = first_hop;
  f.num_hops = hop - first_hop;
  f.use = is_even ? coefficient * flow.multiplicity : -1.0;
  f.num_kept = num_kept;
  set_limit(f);
  ask(f);
}

void FlowNetwork::swap_hops(std::int32_t a, std::int32_t b) {
  if (a == b) return;
  std::swap(hops_[a], hops_[b]);
  if (index(std::max(a, b)) < uses_.size()) std::swap(uses_[index(a)], uses_[index(b)]);
}

void FlowNetwork::keep(LinkId link) {
  LinkState& l = links_[index(link)];
  if (l.is_kept) return;
  l.is_kept = true;
  LinkFill fill;
  for (std::int32_t i = 0; i < l.num_members; ++i) {
    FlowState& f = flows_[index(members_[l.first_member + i])];
    const std::int32_t hop = hop_of(f, link, i);
    if (f.is_attached) {
      fill.fixed += whole_load(use(f, hop) * (f.level * f.weight), scales_[index(link)]);
    }
    swap_hops(hop, f.first_hop + f.num_kept++);
  }
  fill_[index(link)] = fill;
}

bool FlowNetwork::is_kept_in_vain(LinkId link) const {
  if (links_[index(link)].num_members == 0) return true;
  // A fill of the whole network keeps all links.
  return !is_dense_ && checkpoints_.empty() && is_slack(link) && fill_[index(link)].num_open == 0;
}

void FlowNetwork::keep_no_more(LinkId link) {
  LinkState& l = links_[index(link)];
  l.is_kept = false;
  for (std::int32_t i = 0; i < l.num_members; ++i) {
    FlowState& f = flows_[index(members_[l.first_member + i])];
    swap_hops(hop_of(f, link, i), f.first_hop + --f.num_kept);
  }
  fill_[index(link)] = {};
}

void FlowNetwork::set_limit(FlowState& flow) const {
  flow.limit = flow.ceiling < kInfinity ? flow.ceiling / flow.weight : kInfinity;
  flow.limit_link = -1;
  // The narrowest link is found by products, and divided by once.
  double most = 0.0;
  double level_use = 0.0;
  LinkId narrowest = -1;
  for (std::int32_t hop = flow.first_hop; hop < flow.first_hop + flow.num_hops; ++hop) {
    const LinkId link = hops_[hop].link;
    const LinkState& l = links_[index(link)];
    const double load = use(flow, hop) * flow.weight * scales_[index(link)];
    const double parts = l.room > 0 ? load * l.parts_per_load : kInfinity;
    if (parts <= most) continue;
    most = parts;
    level_use = load;
    narrowest = link;
  }
  if (narrowest < 0) return;
  const double level = static_cast<double>(links_[index(narrowest)].room) / level_use;
  if (level < flow.limit) {
    flow.limit = level;
    flow.limit_link = narrowest;
  }
}

inline std::int64_t FlowNetwork::asked_of(const FlowState& flow, std::int32_t hop) const {
  constexpr double kNoise = 0x1p-10;
  if (!(flow.limit < kUnlimitedLevel)) return 0;  // nothing that it uses has a bound
  const LinkId link = hops_[hop].link;
  const double load = use(flow, hop) * flow.weight * scales_[index(link)] * flow.limit;
  // Rounded up, but not where only rounding made it more than a whole number.
  return static_cast<std::int64_t>(load * links_[index(link)].parts_per_load + (1.0 - kNoise));
}

void FlowNetwork::ask(const FlowState& flow) {
  for (std::int32_t hop = flow.first_hop; hop < flow.first_hop + flow.num_hops; ++hop) {
    links_[index(hops_[hop].link)].asked += asked_of(flow, hop);
  }
}

void FlowNetwork::ask_no_more(const FlowState& flow) {
  for (std::int32_t hop = flow.first_hop; hop < flow.first_hop + flow.num_hops; ++hop) {
    links_[index(hops_[hop].link)].asked -= asked_of(flow, hop);
  }
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
    for (const Hop& hop : kept_hops(flows_[index(flow)])) {
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
    if (h + kAheadOfHop < f.first_hop + f.num_hops) {
      __builtin_prefetch(&links_[index(hops_[h + kAheadOfHop].link)], 1);
    }
    if (f.is_attached && h < f.first_hop + f.num_kept) leave(f, hop.link, use(f, h) * rate);
    LinkState& l = links_[index(hop.link)];
    l.carried += use(f, h) * moved;
    l.asked -= asked_of(f, h);
    const std::int32_t last = --l.num_members;
    if (hop.position != last) {
      const FlowId moved_up = members_[l.first_member + last];
      members_[l.first_member + hop.position] = moved_up;
      hops_[hop_of(flows_[index(moved_up)], hop.link, last)].position = hop.position;
    }
    if (l.is_kept && is_kept_in_vain(hop.link)) keep_no_more(hop.link);
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
    l.asked = 0;
    l.is_kept = false;
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
