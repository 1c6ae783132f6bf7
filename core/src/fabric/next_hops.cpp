// SPDX-License-Identifier: Apache-2.0
#include "next_hops.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace railwright::core {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

bool is_switch(Role role) { return role == Role::kSwitch || role == Role::kFrontEndSwitch; }

/// Brings the links to one switch together, at the place of the first of them.
void gather_parallel(std::vector<NextHop>& hops) {
  for (std::size_t i = 0; i < hops.size(); ++i) {
    const auto rest = hops.begin() + static_cast<std::ptrdiff_t>(i);
    std::stable_partition(rest, hops.end(),
                          [head = rest->head](const NextHop& hop) { return hop.head == head; });
  }
}

bool same_links(const HopGroup& group, std::span<const NextHop> hops) {
  return std::ranges::equal(group.hops, hops, {}, &NextHop::link, &NextHop::link);
}

}  // namespace

const NextHop& HopGroup::by_cable(std::int32_t cable) const {
  return *std::ranges::upper_bound(hops, cable, {}, &NextHop::end_cable);
}

HopGroup make_group(const LiveGraph& graph, std::vector<NextHop> hops) {
  double total = 0.0;
  std::int32_t num_cables = 0;
  for (NextHop& hop : hops) {
    const Link& link = graph.link(hop.link);
    total += link.bandwidth.base();
    num_cables += link.num_parallel;
    hop.end_cable = num_cables;
  }
  const bool by_bandwidth = total > 0.0 && total < std::numeric_limits<double>::infinity();
  for (NextHop& hop : hops) {
    const Link& link = graph.link(hop.link);
    hop.share = by_bandwidth ? link.bandwidth.base() / total
                             : static_cast<double>(link.num_parallel) / num_cables;
  }
  return {std::move(hops)};
}

SwitchGraph::SwitchGraph(const LiveGraph& live) : index_(live.vertices.size(), -1) {
  SwitchIndex num_switches = 0;
  for (std::size_t v = 0; v < index_.size(); ++v) {
    if (is_switch(live.vertices[v].role)) index_[v] = num_switches++;
  }
  first_.push_back(0);
  std::vector<NextHop> leaving;
  for (std::size_t v = 0; v < index_.size(); ++v) {
    if (index_[v] < 0) continue;
    leaving.clear();
    for (const LinkId link : live.leaving(static_cast<VertexId>(v))) {
      const SwitchIndex head = index_of(live.link(link).to);
      if (head >= 0) leaving.push_back({.link = link, .head = head});
    }
    gather_parallel(leaving);
    hops_.insert(hops_.end(), leaving.begin(), leaving.end());
    first_.push_back(static_cast<std::int32_t>(hops_.size()));
  }
}

NextHopTables::NextHopTables(const LiveGraph& live)
    : live_(live),
      switches_(live),
      tables_(switches_.num_switches()),
      ready_(switches_.num_switches()),
      groups_of_(switches_.num_switches()) {}

const NextHops& NextHopTables::towards(SwitchIndex destination) const {
  std::atomic<const NextHops*>& ready = ready_[at(destination)];
  if (const NextHops* table = ready.load(std::memory_order_acquire)) return *table;
  const std::lock_guard lock(mutex_);
  std::unique_ptr<NextHops>& table = tables_[at(destination)];
  if (!table) {
    auto made = std::make_unique<NextHops>();
    make(destination, *made);
    table = std::move(made);
    ready.store(table.get(), std::memory_order_release);
  }
  return *table;
}

void NextHopTables::make(SwitchIndex destination, NextHops& table) const {
  const std::size_t num_switches = switches_.num_switches();
  table.distance.assign(num_switches, -1);
  table.groups.assign(num_switches, nullptr);
  table.distance[at(destination)] = 0;
  // Links fail and stand in pairs, so distances from the destination are distances to it.
  std::vector<SwitchIndex> reached{destination};
  std::vector<NextHop> nearer;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const SwitchIndex s = reached[i];
    const std::int16_t distance = table.distance[at(s)];
    nearer.clear();
    for (const NextHop& hop : switches_.hops(s)) {
      std::int16_t& there = table.distance[at(hop.head)];
      if (there < 0) {
        there = static_cast<std::int16_t>(distance + 1);
        reached.push_back(hop.head);
      } else if (there == distance - 1) {
        nearer.push_back(hop);
      }
    }
    if (!nearer.empty()) table.groups[at(s)] = intern(s, nearer);
  }
}

const HopGroup* NextHopTables::intern(SwitchIndex s, std::span<const NextHop> hops) const {
  std::vector<const HopGroup*>& known = groups_of_[at(s)];
  const auto same =
      std::ranges::find_if(known, [&](const HopGroup* group) { return same_links(*group, hops); });
  if (same != known.end()) return *same;
  groups_.push_back(make_group(live_, {hops.begin(), hops.end()}));
  return known.emplace_back(&groups_.back());
}

}  // namespace railwright::core
