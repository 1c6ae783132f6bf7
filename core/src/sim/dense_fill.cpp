// SPDX-License-Identifier: Apache-2.0
// Fills everything above a level, for changes that reach most flows.
//
// Flows fixed below level r do not depend on flows fixed at r or above. So each fill keeps its
// state at a few levels, and the next fill starts from the highest state that the changes leave
// valid. That holds if a flow that ended was not fixed yet at that level, and if a new flow fits at
// that level on each of its links.
#include <algorithm>
#include <utility>

#include "fill_steps.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kFewCandidates = 8;
constexpr std::size_t kNumCheckpoints = 24;
constexpr std::size_t kLargestCheckpoints = std::size_t{1} << 22;  // bytes, together

}  // namespace

void FlowNetwork::fill_dense() {
  const bool keeps_checkpoints = is_dense_;
  restart();
  append_candidates();
  ++step_;
  patience_ = static_cast<int>(candidates_.size() / 8) + 2;
  const std::size_t spacing = std::max<std::size_t>(32, num_flows_ / kNumCheckpoints);
  std::int64_t next_checkpoint = num_touches_ + static_cast<std::int64_t>(spacing);
  while (!candidates_.empty()) {
    const LevelHeap::Entry next = candidates_.top();
    if (next.id < 0) {
      candidates_.pop();
      if (is_pending(~next.id)) fix_at_limit(~next.id);
      continue;
    }
    if (fill_[index(next.id)].num_pending == 0) {
      drop_filled();
      continue;
    }
    // The level at which a link saturates only rises as flows below it are fixed.
    const double level = saturation_level(next.id);
    if (level > next.level) {
      candidates_.raise_top(level);
      if (candidates_.top().id != next.id) continue;
    }
    candidates_.pop();
    // Never below the level reached: a lower share is rounding.
    fix_open(next.id, std::max(reached_, level));
    if (keeps_checkpoints && num_touches_ >= next_checkpoint) {
      keep_checkpoint();
      next_checkpoint = num_touches_ + static_cast<std::int64_t>(spacing);
    }
  }
  note_reach(changed_.size());
}

void FlowNetwork::drop_filled() {
  candidates_.pop();
  // If one link has nothing left to fill, many usually have.
  if (candidates_.size() < kFewCandidates || --patience_ > 0) return;
  candidates_.drop_if([this](const LevelHeap::Entry& entry) {
    return entry.id >= 0 && fill_[index(entry.id)].num_pending == 0;
  });
  patience_ = static_cast<int>(candidates_.size() / 8) + 2;
}

void FlowNetwork::restart() {
  const auto is_touched = [this](const Checkpoint& checkpoint) {
    return !std::ranges::all_of(new_flows_,
                                [&](FlowId flow) { return is_untouched_by(flow, checkpoint); });
  };
  while (!checkpoints_.empty() && is_touched(checkpoints_.back())) drop_checkpoint();
  // All links are kept: those that were not have new members only.
  for (const FlowId flow : new_flows_) {
    FlowState& f = flows_[index(flow)];
    f.is_attached = true;
    f.num_kept = f.num_hops;
    for (const Hop& hop : hops(flow)) links_[index(hop.link)].is_kept = true;
    steps_[index(flow)] = step_ + 1;
    for (Checkpoint& checkpoint : checkpoints_) {
      for (const Hop& hop : hops(flow)) {
        ++checkpoint.fill[index(hop.link)].num_open;
        ++checkpoint.fill[index(hop.link)].num_pending;
      }
    }
  }
  ++step_;
  if (checkpoints_.empty()) {
    restart_from_nothing();
    return;
  }
  const Checkpoint& start = checkpoints_.back();
  std::ranges::copy(start.fill, fill_.begin());
  reached_ = start.level;
  first_pending_ = start.step + 1;
  num_pending_steps_ = step_ - start.step;
}

void FlowNetwork::restart_from_nothing() {
  for (std::size_t link = 0; link < links_.size(); ++link) {
    const auto num_members = links_[link].num_members;
    fill_[link] = {0, num_members, num_members};
    links_[link].is_kept = num_members > 0;
  }
  for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
    FlowState& f = flows_[flow];
    if (!f.is_alive) continue;
    steps_[flow] = step_;
    f.num_kept = f.num_hops;
    if (f.is_attached) continue;
    f.is_attached = true;
    new_flows_.push_back(static_cast<FlowId>(flow));
  }
  reached_ = 0.0;
  first_pending_ = step_;
  num_pending_steps_ = 1;
}

bool FlowNetwork::is_untouched_by(FlowId flow, const Checkpoint& checkpoint) const {
  const FlowState& f = flows_[index(flow)];
  if (f.ceiling / f.weight <= checkpoint.level) return false;
  for (const Hop& hop : hops(flow)) {
    const LinkState& l = links_[index(hop.link)];
    const LinkFill& fill = checkpoint.fill[index(hop.link)];
    // Several new flows may share a link, so the test assumes that all of them do.
    const double load =
        l.unit_use * checkpoint.level *
        static_cast<double>(static_cast<std::size_t>(fill.num_open) + new_flows_.size());
    if (l.is_mixed || load > static_cast<double>(l.room - fill.fixed)) return false;
  }
  return true;
}

void FlowNetwork::append_candidates() {
  candidates_.clear();
  for (std::size_t link = 0; link < links_.size(); ++link) {
    if (fill_[link].num_pending == 0) continue;
    links_[link].level = kInfinity;
    const double level = saturation_level(static_cast<LinkId>(link));
    if (level < kUnlimitedLevel) candidates_.append({level, static_cast<LinkId>(link)});
  }
  if (num_ceilings_ > 0) {
    for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
      const FlowState& f = flows_[flow];
      const auto id = static_cast<FlowId>(flow);
      if (f.is_alive && f.ceiling < kInfinity && is_pending(id)) {
        candidates_.append({f.ceiling / f.weight, ~id});
      }
    }
  }
  candidates_.make();
}

void FlowNetwork::keep_checkpoint() {
  const std::size_t limit = kLargestCheckpoints / (sizeof(LinkFill) * fill_.size());
  if (checkpoints_.size() >= std::min(limit, 2 * kNumCheckpoints)) return;
  Checkpoint& checkpoint = checkpoints_.emplace_back();
  checkpoint.step = step_;
  checkpoint.level = reached_;
  if (!spare_fills_.empty()) {
    checkpoint.fill = std::move(spare_fills_.back());
    spare_fills_.pop_back();
  }
  checkpoint.fill.assign(fill_.begin(), fill_.end());
  ++step_;
}

void FlowNetwork::drop_checkpoint() {
  spare_fills_.push_back(std::move(checkpoints_.back().fill));
  checkpoints_.pop_back();
}

void FlowNetwork::renumber_steps() {
  while (!checkpoints_.empty()) drop_checkpoint();
  for (std::uint32_t& step : steps_) step = std::min<std::uint32_t>(step, 1);
  step_ = 1;
}

}  // namespace railwright::core
