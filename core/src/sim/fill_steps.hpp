// SPDX-License-Identifier: Apache-2.0
// The innermost steps of a fill, inlined into both ways of filling.
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

inline void FlowNetwork::put_level(FlowId flow, double level, double rate) {
  FlowState& f = flows_[index(flow)];
  steps_[index(flow)] = step_;
  f.level = level;
  ++num_touches_;
  --num_to_place_;
  const double rate_on_links = level * f.weight;
  for (const Hop& hop : hops(flow)) {
    LinkFill& fill = fill_[index(hop.link)];
    fill.fixed += load_of(hop, rate_on_links);
    --fill.num_open;
    --fill.num_pending;
  }
  set_rate(flow, rate);
}

inline void FlowNetwork::fix_open(LinkId link, double level) {
  links_[index(link)].level = level;
  reached_ = level;
  const LinkFill before = fill_[index(link)];
  std::int32_t num_left = before.num_pending;
  for (const Member& member : members(link)) {
    if (!is_pending(member.flow)) continue;
    FlowState& f = flows_[index(member.flow)];
    f.bottleneck = link;
    put_level(member.flow, level, std::min(f.ceiling, level * f.weight));
    if (--num_left == 0) break;
  }
  fill_[index(link)] = {before.fixed, before.num_open, 0};
}

}  // namespace railwright::core
