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

/// What switches know of one destination switch.
struct NextHops {
  std::vector<std::int16_t> distance;   // by switch, in links; -1 where there is no way
  std::vector<const HopGroup*> groups;  // by switch; null at the destination and without a way
};

/// All switches and the links between them.
class SwitchGraph {
 public:
  explicit SwitchGraph(const LiveGraph& live);

  /// -1 for what is no switch.
  [[nodiscard]] SwitchIndex index_of(VertexId vertex) const {
    return index_[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] std::size_t num_switches() const { return first_.size() - 1; }
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

/// The tables of all destinations. Equal groups of a switch are kept once, as switches keep them:
/// a fat tree of n switches takes n^2 words and a few groups a switch. Threads may share it.
class NextHopTables {
 public:
  explicit NextHopTables(const LiveGraph& live);

  [[nodiscard]] const SwitchGraph& switches() const { return switches_; }
  [[nodiscard]] const NextHops& towards(SwitchIndex destination) const;

 private:
  void make(SwitchIndex destination, NextHops& table) const;
  const HopGroup* intern(SwitchIndex s, std::span<const NextHop> hops) const;

  const LiveGraph& live_;
  SwitchGraph switches_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<NextHops>> tables_;  // by destination
  mutable std::vector<std::atomic<const NextHops*>> ready_;
  mutable std::deque<HopGroup> groups_;
  mutable std::vector<std::vector<const HopGroup*>> groups_of_;  // by switch
};

}  // namespace railwright::core
