// SPDX-License-Identifier: Apache-2.0
// Forwarding tables of the switches, made for a destination when it is first asked for.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "live_graph.hpp"

namespace railwright::core {

/// Dense number of a switch, front-end switches included.
using SwitchIndex = std::int32_t;

struct NextHop {
  LinkId link = 0;
  SwitchIndex head = 0;
  double share = 1.0;          ///< of what spreads over the group: its bandwidth over the group's
  std::int32_t end_cable = 1;  ///< cables of this and the hops before it
};

/// Equally short ways on, in link order with the links to one switch side by side.
struct HopGroup {
  std::vector<NextHop> hops;
  [[nodiscard]] std::int32_t num_cables() const { return hops.back().end_cable; }
  /// The hop whose cable has that number.
  [[nodiscard]] const NextHop& by_cable(std::int32_t cable) const;
};

HopGroup make_group(const LiveGraph& graph, std::vector<NextHop> hops);

/// All switches and the links between them.
class SwitchGraph {
 public:
  explicit SwitchGraph(const LiveGraph& live);

  /// -1 for what is no switch.
  [[nodiscard]] SwitchIndex index_of(VertexId vertex) const {
    return index_[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] std::size_t num_switches() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t num_links() const { return hops_.size(); }
  [[nodiscard]] std::span<const NextHop> hops(SwitchIndex s) const {
    const auto begin = static_cast<std::size_t>(first_[static_cast<std::size_t>(s)]);
    const auto end = static_cast<std::size_t>(first_[static_cast<std::size_t>(s) + 1]);
    return std::span(hops_).subspan(begin, end - begin);
  }

 private:
  std::vector<SwitchIndex> index_;  // by vertex
  std::vector<std::int32_t> first_;
  std::vector<NextHop> hops_;
};

/// Switches around one, by their distance from it.
class LevelSearch {
 public:
  explicit LevelSearch(const SwitchGraph& switches)
      : switches_(switches), level_(switches.num_switches(), -1) {}

  void start(SwitchIndex from);
  /// Goes one link further; false where there is nothing.
  bool next_level();
  [[nodiscard]] std::int16_t num_levels() const {
    return static_cast<std::int16_t>(first_.size() - 1);
  }
  [[nodiscard]] std::span<const SwitchIndex> at_level(std::int16_t level) const;
  [[nodiscard]] std::span<const SwitchIndex> reached() const { return reached_; }
  /// -1 where it has not been.
  [[nodiscard]] std::int16_t level(SwitchIndex s) const {
    return level_[static_cast<std::size_t>(s)];
  }
  [[nodiscard]] std::size_t num_links_seen() const { return num_links_seen_; }

 private:
  const SwitchGraph& switches_;
  std::vector<std::int16_t> level_;
  std::vector<SwitchIndex> reached_;
  std::vector<std::size_t> first_;  // of each level in `reached_`; one more at the end
  std::size_t num_links_seen_ = 0;
};

/// The tables of all destinations. One holds the switches near its destination from the start, and
/// those on the ways from elsewhere once they are asked for; all of them when searching for ways
/// has cost as much as that. Equal groups of a switch are kept once, as switches keep them. Threads
/// may share it.
class NextHopTables {
 public:
  explicit NextHopTables(const LiveGraph& live);

  [[nodiscard]] const SwitchGraph& switches() const { return switches_; }
  /// In links; -1 where there is no way.
  [[nodiscard]] std::int16_t distance(SwitchIndex from, SwitchIndex destination) const;
  /// The ways on; null at the destination and where there is none.
  [[nodiscard]] const HopGroup* next(SwitchIndex at, SwitchIndex destination) const;

 private:
  struct Table {
    std::vector<std::atomic<std::int16_t>> distance;   // by switch
    std::vector<std::atomic<const HopGroup*>> groups;  // by switch; null until asked for
    std::size_t num_links_seen = 0;                    // in searches of ways
    explicit Table(std::size_t num_switches);
  };

  [[nodiscard]] Table& table(SwitchIndex destination) const;
  void fill(Table& table, SwitchIndex destination, std::int16_t radius) const;
  void find_way(Table& table, SwitchIndex from, SwitchIndex destination) const;
  [[nodiscard]] std::int16_t known_distance(Table& table, SwitchIndex from,
                                            SwitchIndex destination) const;
  const HopGroup* intern(SwitchIndex s, std::span<const NextHop> hops) const;

  const LiveGraph& live_;
  SwitchGraph switches_;
  mutable std::mutex mutex_;
  mutable LevelSearch search_;
  mutable std::vector<std::unique_ptr<Table>> tables_;  // by destination
  mutable std::vector<std::atomic<Table*>> ready_;
  mutable std::deque<HopGroup> groups_;
  mutable std::vector<std::vector<const HopGroup*>> groups_of_;  // by switch
};

}  // namespace railwright::core
