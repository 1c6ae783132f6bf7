// SPDX-License-Identifier: Apache-2.0
// Bookkeeping of links, flows and their hops.
#include "railwright/core/sim/flow_network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "levels.hpp"
#include "railwright/core/error.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kSmallestBlock = 4;
constexpr int kRoomBits = 61;
constexpr int kLargestShift = 960;

void check_capacity(double capacity) {
  if (!(capacity >= 0.0)) {
    throw SimulationError("a link's capacity is negative or not a number: " +
                          std::to_string(capacity));
  }
}

void check(const Flow& flow, std::size_t num_links) {
  bool ok = flow.multiplicity >= 1 && flow.ceiling >= 0.0 && flow.weight > 0.0 &&
            flow.weight < kInfinity && flow.size >= 0;
  for (const LinkUse& use : flow.route) {
    ok &= static_cast<std::size_t>(use.link) < num_links && use.coefficient >= 0.0 &&
          use.coefficient < kInfinity;
  }
  if (!ok) {
    throw SimulationError(
        "a flow needs known links, finite coefficients >= 0, size and ceiling >= 0, multiplicity "
        ">= 1 and a finite weight > 0");
  }
}

int size_class(std::size_t num_hops) {
  return static_cast<int>(std::bit_width(std::max(num_hops, kSmallestBlock) - 1));
}

}  // namespace

LinkId FlowNetwork::add_link(double capacity) {
  check_capacity(capacity);
  const auto link = static_cast<LinkId>(links_.size());
  links_.emplace_back();
  fill_.emplace_back();
  set_scale(link, capacity);
  checkpoints_.clear();
  return link;
}

void FlowNetwork::set_scale(LinkId link, double capacity) {
  LinkState& l = links_[index(link)];
  const double bounded = std::min(capacity, kUnlimitedCapacity);
  int exponent = 0;
  if (bounded > 0.0) std::frexp(bounded, &exponent);
  const int shift =
      bounded > 0.0 ? std::clamp(kRoomBits - exponent, -kLargestShift, kLargestShift) : 0;
  const double scale = std::ldexp(1.0, shift);
  for (const Member& member : l.members) hops_[index(member.hop)].use *= scale / l.scale;
  l.unit_use *= scale / l.scale;
  l.capacity = capacity;
  l.scale = scale;
  l.room = static_cast<std::int64_t>(bounded * scale);
}

void FlowNetwork::set_capacity(LinkId link, double capacity) {
  check_capacity(capacity);
  if (links_[index(link)].capacity == capacity) return;
  // Its flows start afresh, so that no load in the old scale is left anywhere.
  for (const Member& member : links_[index(link)].members) {
    detach(member.flow);
    make_new(member.flow);
  }
  set_scale(link, capacity);
  fill_[index(link)] = {};
  checkpoints_.clear();
}

std::int32_t FlowNetwork::take_hops(std::size_t num_hops) {
  if (num_hops == 0) return 0;
  const int size_class_of_block = size_class(num_hops);
  auto& free = free_hops_[static_cast<std::size_t>(size_class_of_block)];
  if (!free.empty()) {
    const std::int32_t block = free.back();
    free.pop_back();
    return block;
  }
  const auto block = static_cast<std::int32_t>(hops_.size());
  hops_.resize(hops_.size() + (std::size_t{1} << size_class_of_block));
  return block;
}

FlowId FlowNetwork::take_flow() {
  if (free_flows_.empty()) {
    flows_.emplace_back();
    steps_.push_back(kUnlimited);
    return static_cast<FlowId>(flows_.size()) - 1;
  }
  const FlowId flow = free_flows_.back();
  free_flows_.pop_back();
  return flow;
}

void FlowNetwork::make_new(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  if (f.is_new) return;
  f.is_new = true;
  new_flows_.push_back(flow);
}

FlowId FlowNetwork::add(const Flow& flow) {
  check(flow, links_.size());
  const FlowId id = take_flow();
  FlowState& f = flows_[index(id)];
  f.rate = 0.0;
  f.ceiling = flow.ceiling;
  f.weight = flow.weight;
  f.is_alive = true;
  f.is_attached = false;
  std::size_t num_hops = 0;
  for (const LinkUse& use : flow.route) num_hops += use.coefficient > 0.0 ? 1 : 0;
  f.first_hop = take_hops(num_hops);
  f.num_hops = static_cast<std::int32_t>(num_hops);
  std::int32_t hop = f.first_hop;
  for (const LinkUse& use : flow.route) {
    if (use.coefficient > 0.0) join(id, hop++, use, flow.multiplicity);
  }
  steps_[index(id)] = kUnlimited;
  if (f.ceiling < kInfinity) ++num_ceilings_;
  make_new(id);
  ++num_flows_;
  return id;
}

void FlowNetwork::join(FlowId flow, std::int32_t hop, const LinkUse& link_use,
                       std::int32_t multiplicity) {
  LinkState& l = links_[index(link_use.link)];
  const double use = link_use.coefficient * multiplicity * l.scale;
  const double level_use = use * flows_[index(flow)].weight;
  if (l.members.empty()) {
    l.unit_use = level_use;
    l.is_mixed = false;
  } else {
    l.is_mixed = l.is_mixed || level_use != l.unit_use;
  }
  hops_[index(hop)] = {link_use.link, static_cast<std::int32_t>(l.members.size()), use};
  l.members.push_back({flow, hop});
}

void FlowNetwork::detach(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  if (!f.is_attached) return;
  f.is_attached = false;
  const double rate = f.level * f.weight;
  for (const Hop& hop : hops(flow)) {
    LinkFill& fill = fill_[index(hop.link)];
    LinkState& l = links_[index(hop.link)];
    if (hop.link != f.bottleneck) {
      fill.fixed -= load_of(hop, rate);
    } else if (--fill.num_open == 0) {
      l.level = kInfinity;
    }
    if (l.level < kInfinity && !l.is_dirty) {
      l.is_dirty = true;
      dirty_links_.push_back(hop.link);
    }
  }
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

void FlowNetwork::remove(FlowId flow, double moved) {
  FlowState& f = flows_[index(flow)];
  if (!f.is_alive) throw SimulationError("a flow was removed twice");
  detach(flow);
  for (const Hop& hop : hops(flow)) {
    LinkState& l = links_[index(hop.link)];
    l.carried += hop.use / l.scale * moved;
    const Member last = l.members.back();
    l.members[index(hop.position)] = last;
    hops_[index(last.hop)].position = hop.position;
    l.members.pop_back();
  }
  if (f.num_hops > 0) {
    free_hops_[static_cast<std::size_t>(size_class(index(f.num_hops)))].push_back(f.first_hop);
  }
  if (f.ceiling < kInfinity) --num_ceilings_;
  f.num_hops = 0;
  f.is_alive = false;
  free_flows_.push_back(flow);
  --num_flows_;
}

double FlowNetwork::load(LinkId link) const {
  double sum = 0.0;
  for (const Member& member : links_[index(link)].members) {
    sum += use(member) * flows_[index(member.flow)].rate;
  }
  return sum;
}

}  // namespace railwright::core
