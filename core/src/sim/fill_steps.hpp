// SPDX-License-Identifier: Apache-2.0
// The innermost steps of a fill, inlined into both methods of filling.
#pragma once

#include <algorithm>
#include <cmath>

#include "levels.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::core {

inline double FlowNetwork::saturation_level(LinkId link) const {
  const LinkState& l = links_[index(link)];
  const LinkFill& fill = fill_[index(link)];
  const auto room = static_cast<double>(std::max<std::int64_t>(0, l.room - fill.fixed));
  return room / (l.is_mixed ? open_use(link) : l.unit_use * fill.num_open);
}

inline void FlowNetwork::set_rate(FlowId flow, double rate) {
  double& current = flows_[index(flow)].rate;
  if (rate == current) return;
  if (rate < kInfinity && std::abs(rate - current) <= kSameRate * rate) return;
  current = rate;
  changed_.push_back(flow);
}

inline void FlowNetwork::put_level(FlowId flow, double level, LinkId bottleneck) {
  FlowState& f = flows_[index(flow)];
  steps_[index(flow)] = step_;
  f.bottleneck = bottleneck;
  f.level = level;
  const double rate = level * f.weight;
  LinkFill* const fill = fill_.data();
  const double* const scales = scales_.data();
  for (std::int32_t hop = f.first_hop; hop < f.first_hop + f.num_kept; ++hop) {
    const LinkId link = hops_[hop].link;
    fill[link].fixed += whole_load(use(f, hop) * rate, scales[link]);
    --fill[link].num_open;
    --fill[link].num_pending;
  }
  set_rate(flow, bottleneck < 0 && f.limit_link < 0 ? f.ceiling : std::min(f.ceiling, rate));
}

inline void FlowNetwork::fix_open(LinkId link, double level) {
  links_[index(link)].level = level;
  reached_ = level;
  const LinkFill before = fill_[index(link)];
  const std::uint32_t* const steps = steps_.data();
  const std::uint32_t first_pending = first_pending_;
  const std::uint32_t num_pending_steps = num_pending_steps_;
  std::int32_t num_left = before.num_pending;
  for (const FlowId flow : members(link)) {
    if (steps[flow] - first_pending >= num_pending_steps) continue;
    put_level(flow, level, link);
    if (--num_left == 0) break;
  }
  fill_[index(link)] = {before.fixed, before.num_open, 0};
  num_touches_ += before.num_pending;
  num_to_place_ -= index(before.num_pending);
}

}  // namespace railwright::core
