// SPDX-License-Identifier: Apache-2.0
// Progressive filling: raise the level (rate / weight) of all flows together; each time a link
// saturates or a flow meets its ceiling, the flows concerned keep their level.
#include <algorithm>
#include <cmath>
#include <limits>

#include "railwright/core/sim/flow_network.hpp"

namespace railwright::core {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Below this share of what was last summed, differences have lost too many digits.
constexpr double kCancellation = 1.0 / 16.0;
// A rate within this of the old one is the old one: rounding, not news.
constexpr double kSameRate = 1e-14;

}  // namespace

void FlowNetwork::solve() {
  changed_.clear();
  if (!is_stale()) return;
  ++pass_;
  // Components are filled one by one: small ones stay in cache and need no large heap.
  const auto solve_region = [this] {
    reach_all_connected();
    if (region_flows_.size() == 1) {
      fill_single();
    } else {
      fill();
    }
    region_flows_.clear();
    region_links_.clear();
  };
  for (const FlowId flow : seed_flows_) {
    FlowState& f = flows_[index(flow)];
    f.is_seed = false;
    if (!f.is_alive) continue;
    reach(flow);
    if (!region_flows_.empty()) solve_region();
  }
  for (const LinkId link : seed_links_) {
    links_[index(link)].is_seed = false;
    for (const Member& member : members_[index(link)]) {
      reach(member.flow);
      if (!region_flows_.empty()) solve_region();
    }
  }
  seed_flows_.clear();
  seed_links_.clear();
}

void FlowNetwork::reach(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  if (f.stamp == pass_ || f.stamp == -pass_) return;
  f.stamp = pass_;
  region_flows_.push_back(flow);
  ++num_touches_;
  for (const Hop& hop : hops(flow)) {
    LinkState& l = links_[index(hop.link)];
    if (l.capacity == kInfinity) continue;
    if (l.stamp != pass_) {
      l.stamp = pass_;
      l.used = 0.0;
      l.open_use = 0.0;
      l.num_open = 0;
      region_links_.push_back(hop.link);
    }
    l.open_use += hop.use * f.weight;
    ++l.num_open;
  }
}

void FlowNetwork::reach_all_connected() {
  // region_links_ grows while it is walked.
  for (std::size_t i = 0; i < region_links_.size(); ++i) {
    const auto& members = members_[index(region_links_[i])];
    if (members.size() == index(links_[index(region_links_[i])].num_open)) continue;
    for (const Member& member : members) reach(member.flow);
  }
}

void FlowNetwork::fill_single() {
  const FlowId flow = region_flows_.front();
  double rate = flows_[index(flow)].ceiling;
  for (const LinkId link : region_links_) {
    const LinkState& l = links_[index(link)];
    if (l.open_use > 0.0)
      rate = std::min(rate, l.capacity / l.open_use * flows_[index(flow)].weight);
  }
  flows_[index(flow)].stamp = -pass_;
  set_rate(flow, rate);
}

void FlowNetwork::fill() {
  const auto later = [](const Candidate& a, const Candidate& b) {
    return a.level != b.level ? a.level > b.level : a.id > b.id;
  };
  candidates_.clear();
  for (const LinkId link : region_links_) {
    LinkState& l = links_[index(link)];
    l.summed_use = l.open_use;
    if (l.open_use > 0.0) candidates_.push_back({l.capacity / l.open_use, link});
  }
  for (const FlowId flow : region_flows_) {
    const FlowState& f = flows_[index(flow)];
    if (f.ceiling < kInfinity) candidates_.push_back({f.ceiling / f.weight, ~flow});
  }
  std::make_heap(candidates_.begin(), candidates_.end(), later);

  double level = 0.0;
  while (!candidates_.empty()) {
    const Candidate next = candidates_.front();
    std::pop_heap(candidates_.begin(), candidates_.end(), later);
    candidates_.pop_back();
    if (next.id < 0) {
      const FlowState& f = flows_[index(~next.id)];
      if (f.stamp == -pass_) continue;
      level = std::max(level, next.level);
      fix(~next.id, next.level, f.ceiling);
      continue;
    }
    LinkState& l = links_[index(next.id)];
    if (l.num_open == 0) continue;
    // The level at which a link saturates only rises as flows below it are fixed, so an entry that
    // is out of date is put back instead of being kept up to date.
    if (index(l.num_open) < members_[index(next.id)].size()) {
      const double share = (l.capacity - l.used) / l.open_use;
      if (share > next.level && !candidates_.empty() && share > candidates_.front().level) {
        candidates_.push_back({share, next.id});
        std::push_heap(candidates_.begin(), candidates_.end(), later);
        continue;
      }
      sum_open_use(next.id);
    }
    // Never below the level reached: a lower share is rounding, and might even be negative.
    level = std::max(level, (l.capacity - l.used) / l.open_use);
    l.summed_use = 0.0;  // all its flows are fixed now: no use in summing again
    for (const Member& member : members_[index(next.id)]) {
      const FlowState& f = flows_[index(member.flow)];
      if (f.stamp != -pass_) fix(member.flow, level, std::min(f.ceiling, level * f.weight));
    }
  }
  for (const FlowId flow : region_flows_) {
    if (flows_[index(flow)].stamp == pass_) {
      flows_[index(flow)].stamp = -pass_;
      set_rate(flow, kInfinity);
    }
  }
}

void FlowNetwork::fix(FlowId flow, double level, double rate) {
  flows_[index(flow)].stamp = -pass_;
  set_rate(flow, rate);
  const double weight = flows_[index(flow)].weight;
  for (const Hop& hop : hops(flow)) {
    LinkState& l = links_[index(hop.link)];
    if (l.stamp != pass_) continue;
    const double use = hop.use * weight;
    l.used += use * level;
    l.open_use -= use;
    --l.num_open;
    if (l.num_open > 0 && l.open_use < l.summed_use * kCancellation) sum_open_use(hop.link);
  }
}

void FlowNetwork::set_rate(FlowId flow, double rate) {
  double& current = flows_[index(flow)].rate;
  if (rate == current) return;
  if (rate < kInfinity && std::abs(rate - current) <= kSameRate * rate) return;
  current = rate;
  changed_.push_back(flow);
}

void FlowNetwork::sum_open_use(LinkId link) {
  double sum = 0.0;
  for (const Member& member : members_[index(link)]) {
    if (flows_[index(member.flow)].stamp != -pass_) sum += member.level_use;
  }
  links_[index(link)].open_use = sum;
  links_[index(link)].summed_use = sum;
}

}  // namespace railwright::core
