// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "railwright/core/error.hpp"
#include "rounding.hpp"

namespace railwright::core {

namespace {

constexpr int kLinksNamed = 4;  // in a message

}  // namespace

template <class Time>
void Engine<Time>::schedule(Time when, EventId event) {
  if (when < now_) throw SimulationError("an event was scheduled in the past");
  heap_.push({when.count, sequence_++, -1, event});
}

template <class Time>
FlowId Engine<Time>::start(const Flow& flow, EventId event) {
  Flow admitted = flow;
  // Nothing to move: it must not disturb the rates of others, so it takes no links.
  if (flow.size == 0) admitted.route = {};
  const FlowId id = network_.add(admitted);
  const auto i = static_cast<std::size_t>(id);
  if (i >= progress_.size()) progress_.resize(i + 1);
  progress_[i] = {
      static_cast<double>(flow.size), 0.0, now_.count, flow.size, sequence_++, event, true};
  if (flow.size == 0) heap_.push({now_.count, progress_[i].sequence, id, event});
  return id;
}

template <class Time>
double Engine<Time>::remaining(FlowId flow) const {
  const Progress& p = progress_[static_cast<std::size_t>(flow)];
  if (now_.count == p.since || p.rate == 0.0) return p.remaining;
  const double seconds =
      static_cast<double>(now_.count - p.since) / static_cast<double>(Time::kPerSecond);
  return std::max(0.0, p.remaining - p.rate * seconds);
}

template <class Time>
void Engine<Time>::finish(FlowId flow, double moved) {
  if (carried_.size() < network_.num_links()) carried_.resize(network_.num_links(), 0.0);
  for (const FlowNetwork::Hop& hop : network_.hops(flow)) {
    carried_[static_cast<std::size_t>(hop.link)] += hop.use * moved;
  }
  progress_[static_cast<std::size_t>(flow)].is_alive = false;
  network_.remove(flow);
}

template <class Time>
std::int64_t Engine<Time>::cancel(FlowId flow) {
  if (static_cast<std::size_t>(flow) >= progress_.size() ||
      !progress_[static_cast<std::size_t>(flow)].is_alive) {
    throw SimulationError("a flow was cancelled that is not under way");
  }
  const std::int64_t size = progress_[static_cast<std::size_t>(flow)].size;
  const double units = remaining(flow);
  // A unit moved in part is not moved. Untouched sizes beyond 2^53 come back exactly.
  const std::int64_t left =
      units == static_cast<double>(size) ? size : static_cast<std::int64_t>(ceil_forgiving(units));
  if (heap_.contains(flow)) heap_.erase(flow);
  finish(flow, static_cast<double>(size - left));
  return left;
}

template <class Time>
double Engine<Time>::carried(LinkId link) const {
  const auto i = static_cast<std::size_t>(link);
  double sum = i < carried_.size() ? carried_[i] : 0.0;
  for (const FlowNetwork::Member& member : network_.members(link)) {
    const auto size = static_cast<double>(progress_[static_cast<std::size_t>(member.flow)].size);
    sum += network_.use(member) * (size - remaining(member.flow));
  }
  return sum;
}

template <class Time>
void Engine<Time>::solve() {
  network_.solve();
  for (const FlowId flow : network_.changed()) {
    Progress& p = progress_[static_cast<std::size_t>(flow)];
    p.remaining = remaining(flow);
    p.since = now_.count;
    p.rate = network_.rate(flow);
    // Infinite rates end now; rates near 0 may end beyond the clock: never, unless they change.
    const double ticks =
        p.remaining == 0.0
            ? 0.0
            : ceil_forgiving(p.remaining / p.rate * static_cast<double>(Time::kPerSecond));
    const double room =
        static_cast<double>(std::numeric_limits<std::int64_t>::max() - now_.count) * 0.999;
    if (!(ticks < room)) {
      if (heap_.contains(flow)) heap_.erase(flow);
      continue;
    }
    const std::int64_t end = now_.count + static_cast<std::int64_t>(ticks);
    if (heap_.contains(flow)) {
      heap_.move(flow, end);
    } else {
      heap_.push({end, p.sequence, flow, p.event});
    }
  }
}

template <class Time>
bool Engine<Time>::next(EventId& event) {
  for (;;) {
    if (heap_.empty() || heap_.top().time != now_.count) {
      // The tick is over. Solving may end flows at once, which belong to it still.
      if (network_.is_stale()) {
        solve();
        continue;
      }
      if (heap_.empty()) {
        if (network_.num_flows() > 0) throw_stalled();
        return false;
      }
      now_.count = heap_.top().time;
    }
    const EventHeap::Entry entry = heap_.top();
    heap_.pop();
    if (entry.flow >= 0) {
      finish(entry.flow, static_cast<double>(progress_[static_cast<std::size_t>(entry.flow)].size));
    }
    event = entry.event;
    return true;
  }
}

template <class Time>
void Engine<Time>::throw_stalled() const {
  const auto first = std::ranges::find_if(progress_, &Progress::is_alive);
  std::string links;
  int num_named = 0;
  for (const FlowNetwork::Hop& hop :
       network_.hops(static_cast<FlowId>(first - progress_.begin()))) {
    if (++num_named > kLinksNamed) {
      links += " ...";
      break;
    }
    links += fmt::format(" {} (capacity {})", hop.link, network_.capacity(hop.link));
  }
  throw SimulationError(fmt::format("flows that can never end: {}; the first crosses links{}",
                                    network_.num_flows(), links));
}

template class Engine<StepTime>;
template class Engine<RunTime>;

}  // namespace railwright::core
