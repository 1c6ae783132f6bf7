// SPDX-License-Identifier: Apache-2.0
// Fills from the links a change touched, and only where rates change.
//
// Rates are max-min fair exactly when every flow is at its ceiling or has a bottleneck: a saturated
// link on which no flow is faster. The fill visits links whose load changed in the order of the
// lowest level at which the change can matter. A link whose own flows could rise releases them; a
// link that saturates sooner takes over the flows that are faster there. Both touch further links
// only at this level or above, so one upward pass is enough.
#include <algorithm>
#include <cassert>

#include "fill_steps.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kFewSparseCandidates = 8;
constexpr int kRoundingBits = 44;  // precision of the check that a link is not overloaded

bool is_same(double a, double b) {
  return a <= b * (1.0 + kSameLevel) && a >= b * (1.0 - kSameLevel);
}

}  // namespace

bool FlowNetwork::fill_sparse() {
  while (!checkpoints_.empty()) drop_checkpoint();
  first_pending_ = kReleased;
  num_pending_steps_ = 1;
  num_released_ = 0;
  num_to_place_ = 0;
  bool is_done = true;
  if (new_flows_.size() == 1) attach(new_flows_[0]);
  for (const LinkId link : dirty_links_) {
    if (is_slack(link)) {
      free_own(link);
    } else {
      touch(link);
    }
  }
  if (new_flows_.size() <= 1 || !touched_.empty() || !candidates_.empty()) is_done = sweep();
  // New flows that share links are one change. Others are solved one after the other, as
  // consecutive changes, for small heaps and links that are still in cache.
  for (const FlowId flow : new_flows_) {
    if (steps_[index(flow)] != kNew || !is_done) continue;
    attach_with_neighbours(flow);
    is_done = sweep();
  }
  note_reach(num_released_);
  return is_done;
}

bool FlowNetwork::sweep() {
  reached_ = 0.0;
  enqueue_touched();
  const std::size_t limit = std::max(kFewFlows, num_flows_);
  // Between two releases or fixes a link has at most two turns: it may postpone itself once.
  [[maybe_unused]] const std::size_t max_turns = 2 * (links_.size() + 1) * (5 * limit + 2);
  std::size_t num_turns = 0;
  std::size_t num_unsettled = 0;
  while (!candidates_.empty() && num_released_ <= limit) {
    ++num_turns;
    assert(num_turns <= max_turns);
    const LevelHeap::Entry next = candidates_.top();
    candidates_.pop();
    if (next.id < 0) {
      if (is_pending(~next.id)) fix_at_limit(~next.id);
    } else if (keys_[index(next.id)] == next.level) {
      keys_[index(next.id)] = kInfinity;
      settle(next.id, next.level);
    }
    // With no flow left to place, most touched links turn out to be settled.
    if (num_to_place_ == 0 && candidates_.size() > 2 * num_unsettled + kFewSparseCandidates) {
      drop_settled();
      num_unsettled = candidates_.size();
    }
  }
  if (candidates_.empty()) return true;
  give_up();
  return false;
}

void FlowNetwork::drop_settled() {
  candidates_.drop_if([this](const LevelHeap::Entry& entry) {
    if (entry.id < 0) return true;
    double& key = keys_[index(entry.id)];
    const bool is_current = key == entry.level;
    if (is_current && !is_settled(entry.id)) return false;
    if (is_current) key = kInfinity;
    return true;
  });
}

bool FlowNetwork::is_settled(LinkId link) const {
  const LinkState& l = links_[index(link)];
  const LinkFill& fill = fill_[index(link)];
  if (fill.num_open == 0) return fill.fixed <= l.room + (l.room >> kRoundingBits);
  return is_same(saturation_level(link), l.level);
}

void FlowNetwork::give_up() {
  while (!candidates_.empty()) {
    if (candidates_.top().id >= 0) keys_[index(candidates_.top().id)] = kInfinity;
    candidates_.pop();
  }
}

void FlowNetwork::attach(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  f.is_attached = true;
  ++num_to_place_;
  steps_[index(flow)] = kReleased;
  for (const Hop& hop : kept_hops(f)) {
    ++fill_[index(hop.link)].num_open;
    ++fill_[index(hop.link)].num_pending;
  }
  touch_pending(flow);
}

void FlowNetwork::touch_pending(FlowId flow) {
  const FlowState& f = flows_[index(flow)];
  // Its limit is a candidate of its own unless it is set by a link that is kept.
  bool is_candidate = f.limit < (f.limit_link < 0 ? kInfinity : kUnlimitedLevel);
  for (const Hop& hop : kept_hops(f)) {
    touch(hop.link);
    is_candidate &= hop.link != f.limit_link;
  }
  if (is_candidate) candidates_.push({f.limit, ~flow});
}

void FlowNetwork::attach_with_neighbours(FlowId flow) {
  attach(flow);
  // touched_ grows during the loop.
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    for (const FlowId member : members(touched_[i])) {
      if (steps_[index(member)] == kNew) attach(member);
    }
  }
}

void FlowNetwork::touch(LinkId link) {
  LinkState& l = links_[index(link)];
  if (l.is_touched) return;
  l.is_touched = true;
  touched_.push_back(link);
}

/// Lets the flows go that the link limits, now that it has room for all, and keeps it no more.
void FlowNetwork::free_own(LinkId link) {
  if (!links_[index(link)].is_kept) return;
  for (const FlowId flow : members(link)) {
    const FlowState& f = flows_[index(flow)];
    if (f.bottleneck == link && f.is_attached && !is_pending(flow)) release(flow);
  }
  keep_no_more(link);
  for (const FlowId flow : members(link)) {
    const FlowState& f = flows_[index(flow)];
    if (f.limit_link == link && is_pending(flow)) candidates_.push({f.limit, ~flow});
  }
}

void FlowNetwork::enqueue_touched() {
  for (const LinkId link : touched_) {
    links_[index(link)].is_touched = false;
    enqueue(link);
  }
  touched_.clear();
}

void FlowNetwork::enqueue(LinkId link) {
  LinkState& l = links_[index(link)];
  const LinkFill& fill = fill_[index(link)];
  if (fill.num_open == 0) return;
  const double share = saturation_level(link);
  if (fill.num_pending == 0 && is_same(share, l.level)) return;
  const double turn = std::min(share, l.level);
  if (turn >= keys_[index(link)] || turn >= kUnlimitedLevel) return;
  keys_[index(link)] = turn;
  candidates_.push({turn, link});
}

void FlowNetwork::settle(LinkId link, double turn) {
  LinkState& l = links_[index(link)];
  const LinkFill& fill = fill_[index(link)];
  const bool has_own = fill.num_open > fill.num_pending;
  if (fill.num_open == 0 && is_settled(link)) return;
  double level = fill.num_open == 0 ? 0.0 : saturation_level(link);
  const bool can_rise = has_own && level > l.level * (1.0 + kSameLevel);
  if (!can_rise && !(has_own && is_same(level, l.level))) level = level_with_faster(link, level);
  const bool keeps_level = has_own && is_same(level, l.level);
  if (can_rise || keeps_level) level = l.level;
  if (level > turn && !candidates_.empty() && level > candidates_.top().level) {
    keys_[index(link)] = level;
    candidates_.push({level, link});
    return;
  }
  if (can_rise) {
    release_own(link);
    return;
  }
  if (!keeps_level) {
    release_faster(link, level);
    level = std::max(reached_, saturation_level(link));
  }
  fix_open(link, level);
}

double FlowNetwork::level_with_faster(LinkId link, double level) const {
  const LinkState& l = links_[index(link)];
  const LinkFill& fill = fill_[index(link)];
  const std::span<const FlowId> all = members(link);
  const double scale = scales_[index(link)];
  const double open_before = l.is_mixed ? open_use(link) : l.unit_use * fill.num_open;
  // Newton's method on a load that is concave in the level converges from below. The level never
  // falls, however it is rounded, and each round but the last drops at least one member.
  for (std::int32_t num_faster = l.num_members + 1;;) {
    std::int32_t count = 0;
    std::int64_t fixed = fill.fixed;
    double open = open_before;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const FlowState& f = flows_[index(all[i])];
      if (f.level <= level * (1.0 + kSameLevel) || f.bottleneck == link || !f.is_attached ||
          is_pending(all[i])) {
        continue;
      }
      const double use = use_of_member(link, i);
      fixed -= whole_load(use * (f.level * f.weight), scale);
      open += use * f.weight * scale;
      ++count;
    }
    if (count == 0 || count >= num_faster) return level;
    num_faster = count;
    level = std::max(level, static_cast<double>(std::max<std::int64_t>(0, l.room - fixed)) / open);
  }
}

void FlowNetwork::release(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  const double rate = f.level * f.weight;
  for (std::int32_t hop = f.first_hop; hop < f.first_hop + f.num_kept; ++hop) {
    const LinkId link = hops_[hop].link;
    LinkFill& fill = fill_[index(link)];
    if (link != f.bottleneck) {
      fill.fixed -= whole_load(use(f, hop) * rate, scales_[index(link)]);
      ++fill.num_open;
    }
    if (++fill.num_pending == fill.num_open) links_[index(link)].level = kInfinity;
  }
  steps_[index(flow)] = kReleased;
  touch_pending(flow);
  ++num_released_;
  ++num_to_place_;
}

void FlowNetwork::release_own(LinkId link) {
  LinkState& l = links_[index(link)];
  for (const FlowId flow : members(link)) {
    const FlowState& f = flows_[index(flow)];
    if (f.bottleneck == link && f.is_attached && !is_pending(flow)) release(flow);
  }
  l.level = kInfinity;
  enqueue_touched();
}

void FlowNetwork::release_faster(LinkId link, double level) {
  LinkState& l = links_[index(link)];
  for (const FlowId flow : members(link)) {
    const FlowState& f = flows_[index(flow)];
    if (f.level > level * (1.0 + kSameLevel) && f.is_attached && !is_pending(flow)) {
      release(flow);
    }
  }
  l.level = kInfinity;
  enqueue_touched();
}

}  // namespace railwright::core
