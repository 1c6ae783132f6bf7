// SPDX-License-Identifier: Apache-2.0
// Forwarding tables of the switches, made for each destination on first use.
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
  double share = 1.0;          ///< share of spread traffic: its bandwidth over the group's
  std::int32_t end_cable = 1;  ///< number of cables of this hop and those before it
};

/// Equally short next hops, in link order with the links to one switch side by side.
struct HopGroup {
  std::vector<NextHop> hops;
  [[nodiscard]] std::int32_t num_cables() const { return hops.back().end_cable; }
  /// Returns the hop of the cable with that number.
  [[nodiscard]] const NextHop& by_cable(std::int32_t cable) const;
};

HopGroup make_group(const LiveGraph& graph, std::vector<NextHop> hops);

/// All switches and the links between them.
class SwitchGraph {
 public:
  explicit SwitchGraph(const LiveGraph& live);

  /// Returns -1 for a vertex that is no switch.
  [[nodiscard]] SwitchIndex index_of(VertexId vertex) const {
    return index_[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] std::size_t num_switches() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t num_links() const { return hops_.size(); }
  /// Returns how many links leave the switches before this one.
  [[nodiscard]] std::size_t first_hop(SwitchIndex s) const {
    return static_cast<std::size_t>(first_[static_cast<std::size_t>(s)]);
  }
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

/// Breadth-first search of the switches around one, by distance.
class LevelSearch {
 public:
  explicit LevelSearch(const SwitchGraph& switches)
      : switches_(switches), level_(switches.num_switches(), -1) {}

  void start(SwitchIndex from);
  /// Goes one link further; false if that reaches no new switch.
  bool next_level();
  [[nodiscard]] std::int16_t num_levels() const {
    return static_cast<std::int16_t>(first_.size() - 1);
  }
  [[nodiscard]] std::span<const SwitchIndex> at_level(std::int16_t level) const;
  [[nodiscard]] std::span<const SwitchIndex> reached() const { return reached_; }
  /// Returns -1 if the search has not reached the switch.
  [[nodiscard]] std::int16_t level(SwitchIndex s) const {
    return level_[static_cast<std::size_t>(s)];
  }
  [[nodiscard]] std::size_t num_links_seen() const { return num_links_seen_; }

 private:
  const SwitchGraph& switches_;
  std::vector<std::int16_t> level_;
  std::vector<SwitchIndex> reached_;
  std::vector<std::size_t> first_;  // index in `reached_` of each level; one more at the end
  std::size_t num_links_seen_ = 0;
};

/// Returns for each switch the first that has the same neighbours: from everywhere but there and
/// from each other, the ways to both are the same but for the last link. All leaves of a pod are
/// such twins.
std::vector<SwitchIndex> first_twins(const SwitchGraph& switches);

/// The tables of all destinations; twins share one. A table starts with the switches near its
/// destination. Switches on paths from elsewhere are added on request, or all at once when
/// searching has cost as much. Equal groups of a switch are stored once, as switches do.
/// Thread-safe.
class NextHopTables {
 public:
  explicit NextHopTables(const LiveGraph& live);

  [[nodiscard]] const SwitchGraph& switches() const { return switches_; }
  /// Returns the distance in links; -1 if there is no path.
  [[nodiscard]] std::int16_t distance(SwitchIndex from, SwitchIndex destination) const;
  /// Returns the next hops; null at the destination or if there is no path.
  [[nodiscard]] const HopGroup* next(SwitchIndex at, SwitchIndex destination) const;

 private:
  struct Table {
    std::vector<std::atomic<std::int16_t>> distance;   // by switch
    std::vector<std::atomic<const HopGroup*>> groups;  // by switch; null until asked for
    std::size_t num_links_seen = 0;                    // by searches for paths
    explicit Table(std::size_t num_switches);
  };

  [[nodiscard]] Table& table(SwitchIndex destination) const;
  void fill(Table& table, SwitchIndex destination, std::int16_t radius) const;
  void find_way(Table& table, SwitchIndex from, SwitchIndex destination) const;
  [[nodiscard]] std::int16_t known_distance(Table& table, SwitchIndex from,
                                            SwitchIndex destination) const;
  [[nodiscard]] const HopGroup* to_neighbour(SwitchIndex s, SwitchIndex neighbour) const;
  [[nodiscard]] const HopGroup* to_all_neighbours(SwitchIndex s) const;
  [[nodiscard]] const HopGroup* kept(std::atomic<const HopGroup*>& place,
                                     std::span<const NextHop> hops) const;
  const HopGroup* intern(SwitchIndex s, std::span<const NextHop> hops) const;

  const LiveGraph& live_;
  SwitchGraph switches_;
  mutable std::mutex mutex_;
  mutable LevelSearch search_;
  mutable std::vector<NextHop> nearer_;                 // next hops being looked for
  std::vector<SwitchIndex> twin_;                       // the first, by switch
  mutable std::vector<std::unique_ptr<Table>> tables_;  // by destination; of first twins
  mutable std::vector<std::atomic<Table*>> ready_;
  mutable std::deque<HopGroup> groups_;
  mutable std::vector<std::vector<const HopGroup*>> groups_of_;      // by switch
  mutable std::vector<std::atomic<const HopGroup*>> to_neighbour_;   // by its first hop there
  mutable std::vector<std::atomic<const HopGroup*>> to_neighbours_;  // all of them, by switch
};

}  // namespace railwright::core
