// SPDX-License-Identifier: Apache-2.0
// The discrete-event engine: timed events and flows on one clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "railwright/core/sim/end_times.hpp"
#include "railwright/core/sim/event_heap.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/core/sim/flow_set.hpp"
#include "railwright/core/sim/plain_vector.hpp"
#include "railwright/core/sim/time.hpp"

namespace railwright::core {

/// What an event means is its owner's business: the engine only hands the number back.
using EventId = std::uint32_t;

/// Runs events in the order (time, sequence of scheduling or starting). Everything that happens at
/// one tick is one batch: all flows that end and all events of the tick, also those scheduled while
/// it is handled, are delivered before rates are solved again. A flow ends at the first tick at or
/// after its exact end. Deterministic; no allocation per event once warm.
template <class Time>
class Engine {
 public:
  Engine() = default;
  /// Over a network made beforehand, e.g. Fabric::make_network(), with no flows in it yet.
  explicit Engine(FlowNetwork network) : network_(std::move(network)) {}

  [[nodiscard]] Time now() const { return now_; }
  /// For adding links, changing capacities and asking rates. Flows are added by start() only.
  /// Rounds that are being replayed become flows of the network first.
  FlowNetwork& network() {
    if (num_replaying_ > 0) expand_all();
    return network_;
  }

  /// Delivers `event` at `when`, which is not before now().
  void schedule(Time when, EventId event);
  /// Starts a flow now and delivers `event` when it ends (at once, in this tick, for size 0).
  FlowId start(const Flow& flow, EventId event);
  /// Prepares flows that will start together, once or often, as a round of a collective does.
  FlowSetId prepare(std::span<const Flow> flows);
  /// Starts all flows of a set now and delivers `event` when the last of them has ended.
  ///
  /// A round that has its links to itself from start to end goes like every other such round of the
  /// set: after the first it is not solved again but replayed, until a flow or another set starts
  /// on one of its links, or network() is asked for; then its flows go on from where they are.
  /// Ticks are those without replay.
  void start(FlowSetId set, EventId event);
  /// Whether rounds may be replayed; so from the beginning.
  void set_replay(bool replays) { replays_ = replays; }
  /// Rounds that were replayed from start to end.
  [[nodiscard]] std::int64_t num_replayed() const;
  /// Takes a flow out before its end; its event is not delivered. Returns the units not yet moved.
  std::int64_t cancel(FlowId flow);
  /// Units of a flow under way that are not yet moved.
  [[nodiscard]] double remaining(FlowId flow) const;
  /// Total units that have crossed the link so far (exact to rounding of doubles).
  [[nodiscard]] double carried(LinkId link) const;

  /// Delivers the next event into `event` and advances now(); false when nothing is left. Throws
  /// SimulationError when flows are left that can never end (rate 0), naming how many; Interrupted
  /// when it is told to stop.
  bool next(EventId& event);

 private:
  struct Progress {
    double remaining = 0.0;  // at `since`
    double rate = 0.0;       // from `since` on
    std::int64_t since = 0;
    std::int64_t size = 0;
    std::int64_t sequence = kNotUnderWay;
    EventId event = 0;        // of a round: which of its flows this is
    std::int32_t round = -1;  // that it belongs to; -1: it was started alone
  };
  static constexpr std::int64_t kNotUnderWay = -1;

  FlowId add(const Flow& flow, EventId event, std::int32_t round);
  bool deliver(FlowId flow, EventId& event);
  void solve();
  void finish(FlowId flow, double moved);
  [[nodiscard]] std::int64_t sequence_of(FlowId flow) const {
    return progress_[static_cast<std::size_t>(flow)].sequence;
  }
  void collect_ended();
  [[nodiscard]] static double remaining_at(const Progress& progress, std::int64_t when);
  [[nodiscard]] static std::int64_t end_of(const Progress& progress);

  // rounds.cpp: rounds of sets, solved or replayed.
  void meet_sets(std::span<const LinkUse> route);
  void part_from_sets(FlowId flow);
  void know_neighbours();
  void interrupt(FlowSet& set);
  void expand(std::int32_t round);
  void expand_all();
  void record(std::int32_t round, std::int32_t flow, double rate);
  void record_end(std::int32_t round, std::int32_t flow);
  void start_solving(std::int32_t round);
  void end_round(std::int32_t round);
  [[nodiscard]] bool is_current(const EventHeap::Entry& entry) const {
    if (entry.round < 0) return true;
    const FlowRound& round = rounds_[static_cast<std::size_t>(entry.round)];
    return round.way == FlowRound::Way::kReplayed && round.sequence <= entry.sequence;
  }
  [[nodiscard]] std::vector<Progress> progress_of(const FlowRound& round) const;
  [[nodiscard]] double carried_by_replays(LinkId link) const;
  [[noreturn]] void throw_stalled() const;

  FlowNetwork network_;
  EventHeap events_;
  EndTimes ends_;
  PlainVector<Progress> progress_;
  PlainVector<FlowId> ended_;      // flows that end at this tick, by sequence
  std::size_t num_delivered_ = 0;  // of them

  std::vector<FlowSet> sets_;
  std::vector<std::vector<std::int32_t>> sets_of_links_;  // sets to which a flow is a stranger
  std::int64_t neighbours_known_at_ = -1;  // changes of capacity so far; -1: not known
  std::vector<FlowRound> rounds_;
  std::vector<std::int32_t> free_rounds_;
  std::size_t num_replaying_ = 0;
  bool replays_ = true;

  static constexpr std::int64_t kTicksBetweenLooks = 256;  // at whether to stop

  std::int64_t sequence_ = 0;
  std::int64_t num_ticks_ = 0;
  Time now_{};
};

extern template class Engine<StepTime>;
extern template class Engine<RunTime>;

}  // namespace railwright::core
