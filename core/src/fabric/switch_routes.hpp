// SPDX-License-Identifier: Apache-2.0
// Routes over switches between the devices plugged into them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "choosers.hpp"
#include "live_graph.hpp"
#include "next_hops.hpp"

namespace railwright::core {

/// Finds routes between NICs, storage nodes and switches by the tables of next hops. Thread-safe.
class SwitchRoutes {
 public:
  SwitchRoutes(const LiveGraph& live, std::span<const SkippedPlace> skipped);

  /// Whether a vertex is a switch or has a live link to one.
  [[nodiscard]] bool is_attached(VertexId vertex) const;
  /// Appends a route between two attached vertices; appends nothing and returns false if there is
  /// none.
  [[nodiscard]] bool append(const RoutingPolicy& policy, VertexId from, VertexId to,
                            const FlowKey& flow, std::vector<LinkUse>& uses) const;

 private:
  /// Returns the link from a device to a switch; nothing for a switch, or with several or none.
  [[nodiscard]] std::optional<NextHop> only_port(VertexId device) const;
  /// Returns the switches from which a route can reach its destination directly.
  [[nodiscard]] std::vector<SwitchIndex> exits_to(VertexId to) const;
  /// Returns the distance to the nearest exit; kNoWay if there is no path.
  [[nodiscard]] std::int32_t distance(std::span<const SwitchIndex> exits, SwitchIndex s) const;
  /// Returns the links into the switches nearest to the exits; none for a switch or without a path.
  [[nodiscard]] std::vector<NextHop> entries(VertexId from,
                                             std::span<const SwitchIndex> exits) const;
  /// The links out of an exit.
  [[nodiscard]] std::vector<NextHop> last_hops(SwitchIndex exit, VertexId to) const;
  /// Returns the group of next hops at `s`; `scratch` holds it if there are several exits.
  [[nodiscard]] const HopGroup& next(SwitchIndex s, std::span<const SwitchIndex> exits,
                                     HopGroup& scratch) const;
  template <class Choose>
  void walk(SwitchIndex start, VertexId from, VertexId to, std::span<const SwitchIndex> exits,
            Choose choose, std::vector<LinkUse>& uses) const;
  /// Does what append() does between two devices of one port each, of which a step has a hundred
  /// thousand; makes no lists.
  [[nodiscard]] bool append_between(const RoutingPolicy& policy, const NextHop& out,
                                    const NextHop& in, const Place& to, const FlowKey& flow,
                                    std::vector<LinkUse>& uses) const;
  template <class Choose>
  void walk_between(const NextHop& out, const NextHop& in, Choose choose,
                    std::vector<LinkUse>& uses) const;
  void spread(VertexId from, VertexId to, std::span<const SwitchIndex> exits,
              std::vector<LinkUse>& uses) const;

  const LiveGraph& live_;
  NextHopTables tables_;
  std::vector<Place> places_;  // by vertex
};

}  // namespace railwright::core
