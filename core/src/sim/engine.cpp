// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "railwright/core/error.hpp"
#include "railwright/core/stop.hpp"
#include "rounding.hpp"

namespace railwright::core {

namespace {

constexpr double kSoon = 4e18;  // ticks: added to a time before kLate they fit the clock
constexpr std::int64_t kLate = 4'000'000'000'000'000'000;
constexpr std::size_t kAhead = 8;
constexpr int kFlowsNamed = 3;  // number of flows named in a message
constexpr int kLinksNamed = 4;  // number of links named per flow

}  // namespace

template <class Time>
void Engine<Time>::schedule(Time when, EventId event) {
  if (when < now_) throw SimulationError("an event was scheduled in the past");
  events_.push({when.count, sequence_++, event});
}

template <class Time>
FlowId Engine<Time>::start(const Flow& flow, EventId event) {
  network_.check(flow);
  // An empty flow takes no links, so that it does not disturb the rates of others.
  const bool is_empty = flow.size == 0;
  const FlowId id = is_empty ? network_.add_checked(Flow{}, 0.0) : network_.add_checked(flow, 0.0);
  const auto i = static_cast<std::size_t>(id);
  if (i == progress_.size()) progress_.resize(i + 1);
  progress_[i] = {static_cast<double>(flow.size), 0.0, now_.count, flow.size, sequence_, event};
  if (is_empty) ended_.push_back(id);
  ++sequence_;
  return id;
}

template <class Time>
double Engine<Time>::remaining_at(const Progress& progress, std::int64_t when) {
  if (when == progress.since || progress.rate == 0.0) return progress.remaining;
  const double seconds =
      static_cast<double>(when - progress.since) / static_cast<double>(Time::kPerSecond);
  return std::max(0.0, progress.remaining - progress.rate * seconds);
}

template <class Time>
double Engine<Time>::remaining(FlowId flow) const {
  return remaining_at(progress_[static_cast<std::size_t>(flow)], now_.count);
}

template <class Time>
void Engine<Time>::finish(FlowId flow, double moved) {
  progress_[static_cast<std::size_t>(flow)].sequence = kNotUnderWay;
  network_.remove(flow, moved);
}

template <class Time>
std::int64_t Engine<Time>::cancel(FlowId flow) {
  if (static_cast<std::size_t>(flow) >= progress_.size() ||
      progress_[static_cast<std::size_t>(flow)].sequence == kNotUnderWay) {
    throw SimulationError("a flow was cancelled that is not under way");
  }
  const std::int64_t size = progress_[static_cast<std::size_t>(flow)].size;
  const double units = remaining(flow);
  // A partly moved unit counts as not moved. Untouched sizes beyond 2^53 come back exactly.
  const std::int64_t left =
      units == static_cast<double>(size) ? size : static_cast<std::int64_t>(ceil_forgiving(units));
  ends_.set(flow, EndTimes::kNever);
  if (left == 0) {  // it may have ended in this tick
    auto* const last = std::remove(ended_.begin() + num_delivered_, ended_.end(), flow);
    ended_.resize(static_cast<std::size_t>(last - ended_.begin()));
  }
  finish(flow, static_cast<double>(size - left));
  return left;
}

template <class Time>
double Engine<Time>::carried(LinkId link) const {
  double sum = network_.carried_by_removed(link);
  const std::span<const FlowId> members = network_.members(link);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto size = static_cast<double>(progress_[static_cast<std::size_t>(members[i])].size);
    sum += network_.use_of_member(link, i) * (size - remaining(members[i]));
  }
  return sum;
}

template <class Time>
std::int64_t Engine<Time>::end_of(const Progress& progress) {
  if (progress.remaining == 0.0) return progress.since;
  // Infinite rates end now. Rates near 0 may end beyond the clock: never, unless they change. The
  // rounding error of a flow is relative to its size, even when little of it remains.
  constexpr double kNoise = 8.0 * std::numeric_limits<double>::epsilon();
  const double least = progress.remaining - kNoise * static_cast<double>(progress.size);
  const double ticks = std::max(
      0.0, whole_at_or_above(least / progress.rate * static_cast<double>(Time::kPerSecond)));
  if (ticks < kSoon && progress.since < kLate) {
    return progress.since + static_cast<std::int64_t>(ticks);
  }
  const double room = static_cast<double>(EndTimes::kNever - progress.since) * 0.999;
  return ticks < room ? progress.since + static_cast<std::int64_t>(ticks) : EndTimes::kNever;
}

template <class Time>
void Engine<Time>::solve() {
  network_.solve();
  const std::span<const FlowId> changed = network_.changed();
  const bool is_most = changed.size() > network_.num_flows() / 4;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    if (i + kAhead < changed.size()) {
      __builtin_prefetch(&progress_[static_cast<std::size_t>(changed[i + kAhead])], 1);
    }
    const FlowId flow = changed[i];
    Progress& p = progress_[static_cast<std::size_t>(flow)];
    p.remaining = remaining_at(p, now_.count);
    p.since = now_.count;
    p.rate = network_.rate(flow);
    if (is_most) {
      ends_.set_quietly(flow, end_of(p));
    } else {
      ends_.set(flow, end_of(p));
    }
  }
  if (is_most) ends_.note_all();
}

template <class Time>
void Engine<Time>::collect_ended() {
  ended_.clear();
  num_delivered_ = 0;
  ends_.take(now_.count, [this](FlowId flow) { ended_.push_back(flow); });
  const auto sequence = [this](FlowId flow) { return sequence_of(flow); };
  // Flows that started together have ids in order, upwards or downwards.
  if (ended_.size() > 1 && sequence(ended_[0]) > sequence(ended_[1])) std::ranges::reverse(ended_);
  if (!std::ranges::is_sorted(ended_, {}, sequence)) std::ranges::sort(ended_, {}, sequence);
  const bool are_all = ended_.size() == network_.num_flows();
  // Take the flows off their links at once, the last first, which costs least.
  for (std::size_t i = ended_.size(); i-- > 0;) {
    const FlowId flow = ended_[i];
    Progress& p = progress_[static_cast<std::size_t>(flow)];
    p.remaining = 0.0;
    p.since = now_.count;
    if (are_all) {
      network_.leave_empty_links(flow, static_cast<double>(p.size));
    } else {
      network_.leave_links(flow, static_cast<double>(p.size));
    }
  }
  if (are_all) network_.forget_left();
}

template <class Time>
bool Engine<Time>::next(EventId& event) {
  for (;;) {
    const bool has_event = !events_.empty() && events_.top().time == now_.count;
    if (num_delivered_ < ended_.size() &&
        !(has_event && events_.top().sequence < sequence_of(ended_[num_delivered_]))) {
      const FlowId flow = ended_[num_delivered_++];
      const Progress& p = progress_[static_cast<std::size_t>(flow)];
      event = p.event;
      finish(flow, static_cast<double>(p.size));
      return true;
    }
    if (has_event) {
      event = events_.top().event;
      events_.pop();
      return true;
    }
    if (++num_ticks_ % kTicksBetweenLooks == 0) check_stop();
    // The tick is over. Solving may end flows at once; they still belong to this tick.
    ended_.clear();
    num_delivered_ = 0;
    if (network_.is_stale()) solve();
    const std::int64_t end = ends_.earliest();
    const std::int64_t then = events_.empty() ? end : std::min(end, events_.top().time);
    if (then == EndTimes::kNever && events_.empty()) {
      if (network_.num_flows() > 0) throw_stalled();
      return false;
    }
    now_.count = then;
    if (end == then) collect_ended();
  }
}

template <class Time>
void Engine<Time>::throw_stalled() const {
  const bool is_moving = std::ranges::any_of(
      progress_, [](const Progress& p) { return p.sequence != kNotUnderWay && p.rate > 0.0; });
  std::string text =
      fmt::format("flows that {}: {}", is_moving ? "end after the clock does" : "can never end",
                  network_.num_flows());
  int num_named = 0;
  for (std::size_t flow = 0; flow < progress_.size() && num_named < kFlowsNamed; ++flow) {
    const Progress& p = progress_[flow];
    if (p.sequence == kNotUnderWay) continue;
    ++num_named;
    text +=
        fmt::format("; the flow of event {}, {:.6g} of {} units left at {:.6g}/s, crosses links",
                    p.event, remaining(static_cast<FlowId>(flow)), p.size, p.rate);
    int num_links = 0;
    for (const Hop& hop : network_.hops(static_cast<FlowId>(flow))) {
      if (++num_links > kLinksNamed) {
        text += " ...";
        break;
      }
      text += fmt::format(" {} (capacity {})", hop.link, network_.capacity(hop.link));
    }
  }
  throw SimulationError(text);
}

template class Engine<StepTime>;
template class Engine<RunTime>;

}  // namespace railwright::core
