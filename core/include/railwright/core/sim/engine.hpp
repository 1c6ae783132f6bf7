// SPDX-License-Identifier: Apache-2.0
// The discrete-event engine: timed events and flows on one clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "railwright/core/sim/end_times.hpp"
#include "railwright/core/sim/event_heap.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/core/sim/plain_vector.hpp"
#include "railwright/core/sim/time.hpp"

namespace railwright::core {

/// Meaning is up to the event's owner; the engine only returns the number.
using EventId = std::uint32_t;

/// Runs events in the order (time, sequence of scheduling or starting). Each tick is one batch: all
/// flows that end and all events of the tick, including ones scheduled meanwhile, are delivered
/// before rates are solved again. A flow ends at the first tick at or after its exact end.
/// Deterministic; no allocation per event once warm.
template <class Time>
class Engine {
 public:
  Engine() = default;
  /// Takes an existing network without flows, e.g. Fabric::make_network().
  explicit Engine(FlowNetwork network) : network_(std::move(network)) {}

  [[nodiscard]] Time now() const { return now_; }
  /// The network, for adding links, changing capacities and querying rates. Only start() adds
  /// flows.
  FlowNetwork& network() { return network_; }

  /// Delivers `event` at `when`, which is not before now().
  void schedule(Time when, EventId event);
  /// Starts a flow now and delivers `event` when it ends (at once, in this tick, for size 0).
  FlowId start(const Flow& flow, EventId event);
  /// Removes a flow before its end; its event is not delivered. Returns the units not yet moved.
  std::int64_t cancel(FlowId flow);
  /// Units of an active flow that are not yet moved.
  [[nodiscard]] double remaining(FlowId flow) const;
  /// Total units that have crossed the link so far (exact to rounding of doubles).
  [[nodiscard]] double carried(LinkId link) const;

  /// Delivers the next event into `event` and advances now(); false when nothing is left. Throws
  /// SimulationError, with their number, if the remaining flows can never end (rate 0), and
  /// Interrupted if it is told to stop.
  bool next(EventId& event);

 private:
  struct Progress {
    double remaining = 0.0;  // at `since`
    double rate = 0.0;       // from `since` on
    std::int64_t since = 0;
    std::int64_t size = 0;
    std::int64_t sequence = kNotUnderWay;
    EventId event = 0;
  };
  static constexpr std::int64_t kNotUnderWay = -1;

  void solve();
  void finish(FlowId flow, double moved);
  [[nodiscard]] std::int64_t sequence_of(FlowId flow) const {
    return progress_[static_cast<std::size_t>(flow)].sequence;
  }
  void collect_ended();
  [[nodiscard]] static double remaining_at(const Progress& progress, std::int64_t when);
  [[nodiscard]] static std::int64_t end_of(const Progress& progress);

  [[noreturn]] void throw_stalled() const;

  FlowNetwork network_;
  EventHeap events_;
  EndTimes ends_;
  PlainVector<Progress> progress_;
  PlainVector<FlowId> ended_;      // flows that end at this tick, by sequence
  std::size_t num_delivered_ = 0;  // number of them delivered

  static constexpr std::int64_t kTicksBetweenLooks = 256;  // interval of checks whether to stop

  std::int64_t sequence_ = 0;
  std::int64_t num_ticks_ = 0;
  Time now_{};
};

extern template class Engine<StepTime>;
extern template class Engine<RunTime>;

}  // namespace railwright::core
