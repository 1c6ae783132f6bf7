// SPDX-License-Identifier: Apache-2.0
#include "next_hops.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace railwright::core {

namespace {

constexpr std::int16_t kNoWayOn = -1;
constexpr std::int16_t kUnknown = -2;
/// Radius around a destination: reaches the third tier of a folded Clos, where paths from near and
/// far meet.
constexpr std::int16_t kNear = 2;

bool is_switch(Role role) { return role == Role::kSwitch || role == Role::kFrontEndSwitch; }

/// Groups the links to one switch at the position of the first of them.
void gather_parallel(std::vector<NextHop>& hops) {
  if (std::ranges::is_sorted(hops, {}, &NextHop::head)) return;
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

std::vector<SwitchIndex> first_twins(const SwitchGraph& switches) {
  std::vector<SwitchIndex> first(switches.num_switches());
  std::map<std::vector<SwitchIndex>, SwitchIndex> known;  // by neighbours
  std::vector<SwitchIndex> neighbours;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto s = static_cast<SwitchIndex>(i);
    neighbours.clear();
    for (const NextHop& hop : switches.hops(s)) neighbours.push_back(hop.head);
    std::ranges::sort(neighbours);
    neighbours.erase(std::ranges::unique(neighbours).begin(), neighbours.end());
    // A switch without a neighbour cannot be reached.
    first[i] = neighbours.empty() ? s : known.try_emplace(neighbours, s).first->second;
  }
  return first;
}

void LevelSearch::start(SwitchIndex from) {
  for (const SwitchIndex s : reached_) level_[at(s)] = -1;
  reached_.assign(1, from);
  first_ = {0, 1};
  level_[at(from)] = 0;
  num_links_seen_ = 0;
}

bool LevelSearch::next_level() {
  const std::int16_t next = num_levels();
  for (std::size_t i = first_[first_.size() - 2]; i < first_.back(); ++i) {
    const std::span<const NextHop> hops = switches_.hops(reached_[i]);
    num_links_seen_ += hops.size();
    for (const NextHop& hop : hops) {
      if (level_[at(hop.head)] >= 0) continue;
      level_[at(hop.head)] = next;
      reached_.push_back(hop.head);
    }
  }
  if (reached_.size() == first_.back()) return false;
  first_.push_back(reached_.size());
  return true;
}

std::span<const SwitchIndex> LevelSearch::at_level(std::int16_t level) const {
  const auto l = static_cast<std::size_t>(level);
  return std::span(reached_).subspan(first_[l], first_[l + 1] - first_[l]);
}

NextHopTables::Table::Table(std::size_t num_switches)
    : distance(num_switches), groups(num_switches) {
  for (std::atomic<std::int16_t>& d : distance) d.store(kUnknown, std::memory_order_relaxed);
}

NextHopTables::NextHopTables(const LiveGraph& live)
    : live_(live),
      switches_(live),
      search_(switches_),
      twin_(first_twins(switches_)),
      tables_(switches_.num_switches()),
      ready_(switches_.num_switches()),
      groups_of_(switches_.num_switches()),
      to_neighbour_(switches_.num_links()),
      to_neighbours_(switches_.num_switches()) {}

NextHopTables::Table& NextHopTables::table(SwitchIndex destination) const {
  std::atomic<Table*>& ready = ready_[at(destination)];
  if (Table* table = ready.load(std::memory_order_acquire)) return *table;
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Table>& table = tables_[at(destination)];
  if (!table) {
    auto made = std::make_unique<Table>(switches_.num_switches());
    fill(*made, destination, kNear);
    table = std::move(made);
    ready.store(table.get(), std::memory_order_release);
  }
  return *table;
}

/// Fills in distances around the destination. Links exist and fail in pairs, so distances from the
/// destination equal distances to it.
void NextHopTables::fill(Table& table, SwitchIndex destination, std::int16_t radius) const {
  search_.start(destination);
  bool is_whole = false;
  while (!is_whole && search_.num_levels() <= radius) is_whole = !search_.next_level();
  for (const SwitchIndex s : search_.reached()) table.distance[at(s)] = search_.level(s);
  if (!is_whole) return;
  for (std::atomic<std::int16_t>& d : table.distance) {
    if (d == kUnknown) d = kNoWayOn;
  }
}

/// Finds the switches on shortest paths. Such a path enters the destination's neighbourhood at its
/// rim. Once a search from the other end reaches the rim, the switches on all shortest paths
/// follow, level by level.
void NextHopTables::find_way(Table& table, SwitchIndex from, SwitchIndex destination) const {
  if (table.num_links_seen > switches_.num_links()) {
    fill(table, destination, std::numeric_limits<std::int16_t>::max());
    return;
  }
  search_.start(from);
  const auto is_at = [&](SwitchIndex s, std::int32_t distance) {
    return table.distance[at(s)].load(std::memory_order_relaxed) == distance;
  };
  bool meets = false;
  while (!meets && search_.next_level()) {
    const auto rim = search_.at_level(static_cast<std::int16_t>(search_.num_levels() - 1));
    meets = std::ranges::any_of(rim, [&](SwitchIndex s) { return is_at(s, kNear); });
  }
  table.num_links_seen += search_.num_links_seen();
  if (!meets) {
    for (const SwitchIndex s : search_.reached()) table.distance[at(s)] = kNoWayOn;
    return;
  }
  std::int16_t distance = kNear;
  for (auto level = static_cast<std::int16_t>(search_.num_levels() - 2); level >= 0; --level) {
    for (const SwitchIndex s : search_.at_level(level)) {
      const bool leads_on = std::ranges::any_of(switches_.hops(s), [&](const NextHop& hop) {
        return search_.level(hop.head) == level + 1 && is_at(hop.head, distance);
      });
      if (leads_on) table.distance[at(s)] = static_cast<std::int16_t>(distance + 1);
    }
    ++distance;
  }
}

std::int16_t NextHopTables::known_distance(Table& table, SwitchIndex from,
                                           SwitchIndex destination) const {
  std::atomic<std::int16_t>& distance = table.distance[at(from)];
  if (distance == kUnknown && twin_[at(from)] != from) {
    distance = known_distance(table, twin_[at(from)], destination);
  } else if (distance == kUnknown) {
    find_way(table, from, destination);
  }
  return distance;
}

std::int16_t NextHopTables::distance(SwitchIndex from, SwitchIndex destination) const {
  if (from == destination) return 0;
  const SwitchIndex first = twin_[at(destination)];
  if (twin_[at(from)] == first) return 2;
  Table& to = table(first);
  const std::int16_t known = to.distance[at(from)].load(std::memory_order_relaxed);
  if (known != kUnknown) return known;
  const std::lock_guard lock(mutex_);
  return known_distance(to, from, first);
}

/// Keeps a group for its place, unless another thread was faster.
const HopGroup* NextHopTables::kept(std::atomic<const HopGroup*>& place,
                                    std::span<const NextHop> hops) const {
  if (const HopGroup* group = place.load(std::memory_order_relaxed)) return group;
  groups_.push_back(make_group(live_, {hops.begin(), hops.end()}));
  place.store(&groups_.back(), std::memory_order_release);
  return &groups_.back();
}

/// The links to one neighbour, which stand side by side.
const HopGroup* NextHopTables::to_neighbour(SwitchIndex s, SwitchIndex neighbour) const {
  const std::span<const NextHop> hops = switches_.hops(s);
  const auto first = std::ranges::find(hops, neighbour, &NextHop::head);
  std::atomic<const HopGroup*>& place =
      to_neighbour_[switches_.first_hop(s) + static_cast<std::size_t>(first - hops.begin())];
  if (const HopGroup* group = place.load(std::memory_order_acquire)) return group;
  const auto end =
      std::find_if(first, hops.end(), [&](const NextHop& hop) { return hop.head != neighbour; });
  const std::lock_guard lock(mutex_);
  return kept(place, {first, end});
}

const HopGroup* NextHopTables::to_all_neighbours(SwitchIndex s) const {
  std::atomic<const HopGroup*>& place = to_neighbours_[at(s)];
  if (const HopGroup* group = place.load(std::memory_order_acquire)) return group;
  const std::lock_guard lock(mutex_);
  return kept(place, switches_.hops(s));
}

const HopGroup* NextHopTables::next(SwitchIndex s, SwitchIndex destination) const {
  if (s == destination) return nullptr;
  const SwitchIndex first = twin_[at(destination)];
  if (twin_[at(s)] == first) return to_all_neighbours(s);
  Table& to = table(first);
  const bool is_near = to.distance[at(s)].load(std::memory_order_relaxed) == 1;
  if (is_near) return to_neighbour(s, destination);
  if (const HopGroup* group = to.groups[at(s)].load(std::memory_order_acquire)) return group;
  const std::lock_guard lock(mutex_);
  const std::int16_t distance = known_distance(to, s, first);
  if (distance <= 0) return nullptr;
  nearer_.clear();
  for (const NextHop& hop : switches_.hops(s)) {
    const std::int16_t of_head = to.distance[at(hop.head)].load(std::memory_order_relaxed);
    if (of_head == distance - 1) nearer_.push_back(hop);
  }
  const HopGroup* group = intern(s, nearer_);
  to.groups[at(s)].store(group, std::memory_order_release);
  return group;
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
