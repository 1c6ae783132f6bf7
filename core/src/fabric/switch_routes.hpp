// SPDX-License-Identifier: Apache-2.0
// Routes over switches between what is plugged into them.
#pragma once

#include <cstdint>
#include <vector>

#include "choosers.hpp"
#include "live_graph.hpp"
#include "next_hops.hpp"

namespace railwright::core {

/// Routes between NICs, storage nodes and switches by the tables of next hops. Threads may share
/// it.
class SwitchRoutes {
 public:
  explicit SwitchRoutes(const LiveGraph& live);

  /// Whether a vertex is a switch or has a live link to one.
  [[nodiscard]] bool is_attached(VertexId vertex) const;
  /// Appends a route between two attached vertices; false and nothing where there is none.
  [[nodiscard]] bool append(const RoutingPolicy& policy, VertexId from, VertexId to,
                            const FlowKey& flow, std::vector<LinkUse>& uses) const;

 private:
  /// The switches at which a route can leave for its destination.
  [[nodiscard]] std::vector<SwitchIndex> exits_to(VertexId to) const;
  /// To the nearest exit; kNoWay without a way.
  [[nodiscard]] std::int32_t distance(std::span<const SwitchIndex> exits, SwitchIndex s) const;
  /// The links into the switches that are nearest to the exits; none for a switch or without a way.
  [[nodiscard]] std::vector<NextHop> entries(VertexId from,
                                             std::span<const SwitchIndex> exits) const;
  /// The links out of an exit.
  [[nodiscard]] std::vector<NextHop> last_hops(SwitchIndex exit, VertexId to) const;
  /// The group at `s`; `scratch` holds it where there are several exits.
  [[nodiscard]] const HopGroup& next(SwitchIndex s, std::span<const SwitchIndex> exits,
                                     HopGroup& scratch) const;
  template <class Choose>
  void walk(SwitchIndex start, VertexId from, VertexId to, std::span<const SwitchIndex> exits,
            Choose choose, std::vector<LinkUse>& uses) const;
  void spread(VertexId from, VertexId to, std::span<const SwitchIndex> exits,
              std::vector<LinkUse>& uses) const;

  const LiveGraph& live_;
  NextHopTables tables_;
  std::vector<Place> places_;  // by vertex
};

}  // namespace railwright::core
