// SPDX-License-Identifier: Apache-2.0
// Bookkeeping of links, flows and their hops; the solver is in flow_solver.cpp.
#include "railwright/core/sim/flow_network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "railwright/core/error.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kSmallestBlock = 4;

void check_capacity(double capacity) {
  if (!(capacity >= 0.0)) {
    throw SimulationError("a link's capacity is negative or not a number: " +
                          std::to_string(capacity));
  }
}

void check(const Flow& flow, std::size_t num_links) {
  bool ok = flow.multiplicity >= 1 && flow.ceiling >= 0.0 && flow.weight > 0.0 &&
            std::isfinite(flow.weight) && flow.size >= 0;
  for (const LinkUse& use : flow.route) {
    ok = ok && use.link >= 0 && static_cast<std::size_t>(use.link) < num_links &&
         use.coefficient >= 0.0 && std::isfinite(use.coefficient);
  }
  if (!ok) {
    throw SimulationError(
        "a flow needs known links, finite coefficients >= 0, size and ceiling >= 0, multiplicity "
        ">= 1 and a finite weight > 0");
  }
}

}  // namespace

LinkId FlowNetwork::add_link(double capacity) {
  check_capacity(capacity);
  links_.emplace_back().capacity = capacity;
  members_.emplace_back();
  return static_cast<LinkId>(links_.size()) - 1;
}

void FlowNetwork::set_capacity(LinkId link, double capacity) {
  check_capacity(capacity);
  double& current = links_[index(link)].capacity;
  if (current == capacity) return;
  current = capacity;
  seed(link);
}

int FlowNetwork::size_class(std::size_t num_hops) {
  return std::bit_width(std::max(num_hops, kSmallestBlock) - 1);
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

FlowId FlowNetwork::add(const Flow& flow) {
  check(flow, links_.size());
  FlowId id = 0;
  if (free_flows_.empty()) {
    id = static_cast<FlowId>(flows_.size());
    flows_.emplace_back();
  } else {
    id = free_flows_.back();
    free_flows_.pop_back();
  }
  FlowState& f = flows_[index(id)];
  f.rate = 0.0;
  f.ceiling = flow.ceiling;
  f.weight = flow.weight;
  f.stamp = 0;
  const auto num_hops = static_cast<std::size_t>(std::ranges::count_if(
      flow.route, [](const LinkUse& link_use) { return link_use.coefficient > 0.0; }));
  f.first_hop = take_hops(num_hops);
  f.num_hops = static_cast<std::int32_t>(num_hops);
  f.is_alive = true;
  std::int32_t h = f.first_hop;
  for (const LinkUse& link_use : flow.route) {
    if (link_use.coefficient == 0.0) continue;
    auto& members = members_[index(link_use.link)];
    const double use = link_use.coefficient * flow.multiplicity;
    hops_[index(h)] = {link_use.link, static_cast<std::int32_t>(members.size()), use};
    members.push_back({id, h, use * flow.weight});
    ++h;
  }
  if (!f.is_seed) {
    f.is_seed = true;
    seed_flows_.push_back(id);
  }
  ++num_flows_;
  return id;
}

void FlowNetwork::remove(FlowId flow) {
  FlowState& f = flows_[index(flow)];
  if (!f.is_alive) throw SimulationError("a flow was removed twice");
  for (std::int32_t h = f.first_hop; h < f.first_hop + f.num_hops; ++h) {
    const Hop& hop = hops_[index(h)];
    auto& members = members_[index(hop.link)];
    const Member last = members.back();
    members[index(hop.position)] = last;
    hops_[index(last.hop)].position = hop.position;
    members.pop_back();
    seed(hop.link);
  }
  if (f.num_hops > 0) {
    free_hops_[static_cast<std::size_t>(size_class(index(f.num_hops)))].push_back(f.first_hop);
  }
  f.num_hops = 0;
  f.is_alive = false;
  free_flows_.push_back(flow);
  --num_flows_;
}

void FlowNetwork::seed(LinkId link) {
  LinkState& l = links_[index(link)];
  if (l.is_seed) return;
  l.is_seed = true;
  seed_links_.push_back(link);
}

double FlowNetwork::load(LinkId link) const {
  double sum = 0.0;
  for (const Member& member : members_[index(link)]) {
    sum += hops_[index(member.hop)].use * flows_[index(member.flow)].rate;
  }
  return sum;
}

}  // namespace railwright::core
