// SPDX-License-Identifier: Apache-2.0
// Flows that start together, again and again: a round of a collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "railwright/core/sim/flow_state.hpp"

namespace railwright::core {

/// Names a set of flows that an engine has prepared.
struct FlowSetId {
  std::int32_t index = -1;
};

/// What happened, once, to a set of flows that had its links to itself: it happens again whenever
/// they start that way. Times are ticks since the start.
struct FlowPattern {
  struct Change {
    std::int64_t when = 0;
    std::int32_t flow = 0;
    double rate = 0.0;  ///< from then on
  };
  std::vector<Change> changes;     ///< by time
  std::vector<std::int64_t> ends;  ///< of each flow
  std::int64_t last_end = 0;
  std::int32_t last_flow = 0;                 ///< of those that end last, the one that started last
  std::int64_t num_changes_of_capacity = -1;  ///< of the network when it was learnt; -1: not yet
};

/// A prepared set. The routes of its flows lie in one array.
class FlowSet {
 public:
  explicit FlowSet(std::span<const Flow> flows);

  [[nodiscard]] std::size_t size() const { return flows_.size(); }
  [[nodiscard]] Flow flow(std::size_t i) const;
  /// All links of its flows, each once, in order.
  [[nodiscard]] const std::vector<LinkId>& links() const { return links_; }
  /// Units that the whole set carries over a link.
  [[nodiscard]] double carried(LinkId link) const;

  FlowPattern pattern;
  std::vector<std::int32_t> neighbours;  ///< other sets with which it shares a link that can bind
  std::int32_t num_running = 0;          ///< times that it is under way
  std::int32_t num_strangers = 0;        ///< flows and rounds of neighbours on its links
  std::int32_t watched_round = -1;       ///< the one round that is replayed or recorded
  std::int64_t num_replayed = 0;         ///< rounds that ended without ever being solved

 private:
  struct Stored {
    Flow flow;
    std::size_t first_use = 0;
  };
  std::vector<LinkUse> uses_;
  std::vector<Stored> flows_;
  std::vector<LinkId> links_;
};

/// One start of a set.
struct FlowRound {
  enum class Way : std::uint8_t { kOver, kSolved, kRecorded, kReplayed };
  std::int32_t set = -1;
  std::uint32_t event = 0;
  Way way = Way::kOver;
  std::size_t num_left = 0;  // flows under way, unless it is replayed
  std::int64_t start = 0;
  std::int64_t sequence = 0;                 // of its first flow
  std::int64_t num_changes_of_capacity = 0;  // of the network, when it started
};

}  // namespace railwright::core
