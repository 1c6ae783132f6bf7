// SPDX-License-Identifier: Apache-2.0
// Progressive filling: raise the level (rate / weight) of all flows together; each time a link
// saturates or a flow meets its ceiling, the flows concerned keep their level. This file has the
// steps; sparse_fill.cpp and dense_fill.cpp say which flows take part.
#include <algorithm>
#include <cmath>

#include "fill_steps.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::core {

void FlowNetwork::keep_asked(FlowId flow) {
  const FlowState& f = flows_[index(flow)];
  for (std::int32_t hop = f.first_hop + f.num_kept; hop < f.first_hop + f.num_hops; ++hop) {
    // Keeping a link puts another hop of the flow in this place, one that was looked at.
    if (!is_slack(hops_[hop].link)) keep(hops_[hop].link);
  }
}

void FlowNetwork::solve() {
  changed_.clear();
  if (!is_stale()) return;
  if (step_ >= kReleased / 2) renumber_steps();
  take_new_flows();
  reached_ = 0.0;
  if (fills_dense()) {
    fill_dense();
  } else if (!new_flows_.empty() || !dirty_links_.empty()) {
    if (!fill_sparse()) fill_dense();
  }
  for (const FlowId flow : new_flows_) {
    if (is_pending(flow)) make_unlimited(flow);
  }
  new_flows_.clear();
  for (const LinkId link : dirty_links_) links_[index(link)].is_dirty = false;
  dirty_links_.clear();
}

void FlowNetwork::note_reach(std::size_t num_reached) {
  constexpr double kNews = 0.125;
  constexpr double kReachOfDense = 0.25;
  constexpr double kReachOfSparse = 0.1;
  const double reach =
      static_cast<double>(num_reached) / static_cast<double>(num_flows_ + kFewFlows);
  usual_reach_ += kNews * (std::min(reach, 1.0) - usual_reach_);
  is_dense_ = usual_reach_ > (is_dense_ ? kReachOfSparse : kReachOfDense);
}

void FlowNetwork::take_new_flows() {
  constexpr std::size_t kCrowd = 8;
  std::size_t num_kept = 0;
  std::size_t num_shared = 0;
  for (const FlowId flow : new_flows_) {
    FlowState& f = flows_[index(flow)];
    f.is_new = false;
    if (!f.is_alive) continue;
    steps_[index(flow)] = kNew;
    new_flows_[num_kept++] = flow;
    if (f.num_hops > 0) num_shared += index(links_[index(hops_[f.first_hop].link)].num_members);
  }
  new_flows_.resize(num_kept);
  is_crowded_ = num_shared > kCrowd * num_kept;
  if (!fills_dense()) take_free_flows();
}

void FlowNetwork::take_free_flows() {
  std::size_t num_left = 0;
  for (const FlowId flow : new_flows_) {
    keep_asked(flow);
    if (flows_[index(flow)].num_kept == 0) {
      solve_free(flow);
    } else {
      new_flows_[num_left++] = flow;
    }
  }
  new_flows_.resize(num_left);
}

void FlowNetwork::solve_free(FlowId flow) {
  ++num_touches_;
  FlowState& f = flows_[index(flow)];
  if (f.limit >= kUnlimitedLevel) {
    make_unlimited(flow);
    return;
  }
  while (!checkpoints_.empty()) drop_checkpoint();
  f.is_attached = true;
  f.bottleneck = -1;
  f.level = f.limit;
  steps_[index(flow)] = step_;
  set_rate(flow, f.limit_link < 0 ? f.ceiling : std::min(f.ceiling, f.level * f.weight));
}

void FlowNetwork::make_unlimited(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  if (f.is_attached) {
    for (const Hop& hop : kept_hops(f)) {
      --fill_[index(hop.link)].num_open;
      --fill_[index(hop.link)].num_pending;
    }
  }
  f.is_attached = false;
  f.bottleneck = -1;
  f.level = kInfinity;
  steps_[index(flow)] = kUnlimited;
  set_rate(flow, f.ceiling);  // infinite, or too high for any link to limit
}

double FlowNetwork::open_use(LinkId link) const {
  double sum = 0.0;
  const std::span<const FlowId> all = members(link);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const FlowState& f = flows_[index(all[i])];
    if (f.is_attached && (is_pending(all[i]) || f.bottleneck == link)) {
      sum += use_of_member(link, i) * f.weight * scales_[index(link)];
    }
  }
  return sum;
}

void FlowNetwork::fix_at_limit(FlowId flow) {
  reached_ = flows_[index(flow)].limit;
  put_level(flow, reached_, -1);
  ++num_touches_;
  --num_to_place_;
}

}  // namespace railwright::core
