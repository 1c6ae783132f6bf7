// SPDX-License-Identifier: Apache-2.0
// Rounds of flow sets. The first round that has its links to itself is solved and recorded: when
// each flow's rate changed, and when it ended. Rates and ends depend on differences of ticks only,
// so the next such round is the same, shifted; it is one event in the queue. A stranger on its
// links turns it into flows again, in the state that the recorded changes lead to by the same
// arithmetic.
#include <algorithm>

#include "railwright/core/error.hpp"
#include "railwright/core/sim/engine.hpp"

namespace railwright::core {

namespace {

using Way = FlowRound::Way;

constexpr double kNeverBinds = 1e300;       // as FlowNetwork::add_link has it
constexpr std::size_t kLongestRecord = 64;  // changes per flow, on average

}  // namespace

template <class Time>
FlowSetId Engine<Time>::prepare(std::span<const Flow> flows) {
  if (flows.empty()) throw SimulationError("a set of flows is empty");
  for (const Flow& flow : flows) network_.check(flow);
  sets_.emplace_back(flows);
  neighbours_known_at_ = -1;
  return {static_cast<std::int32_t>(sets_.size()) - 1};
}

template <class Time>
void Engine<Time>::know_neighbours() {
  neighbours_known_at_ = network_.num_changes_of_capacity();
  sets_of_links_.assign(network_.num_links(), {});
  for (FlowSet& set : sets_) {
    set.neighbours.clear();
    set.num_strangers = 0;
    for (const LinkId link : set.links()) {
      if (network_.capacity(link) >= kNeverBinds) continue;
      auto& sets = sets_of_links_[static_cast<std::size_t>(link)];
      for (const std::int32_t other : sets) {
        sets_[static_cast<std::size_t>(other)].neighbours.push_back(
            static_cast<std::int32_t>(&set - sets_.data()));
        set.neighbours.push_back(other);
      }
      sets.push_back(static_cast<std::int32_t>(&set - sets_.data()));
    }
  }
  for (FlowSet& set : sets_) {
    std::ranges::sort(set.neighbours);
    set.neighbours.erase(std::ranges::unique(set.neighbours).begin(), set.neighbours.end());
  }
  for (const FlowSet& set : sets_) {
    for (const std::int32_t other : set.neighbours) {
      sets_[static_cast<std::size_t>(other)].num_strangers += set.num_running;
    }
  }
  for (std::size_t flow = 0; flow < progress_.size(); ++flow) {
    if (progress_[flow].sequence == kNotUnderWay || progress_[flow].round >= 0) continue;
    for (const Hop& hop : network_.hops(static_cast<FlowId>(flow))) {
      for (const std::int32_t set : sets_of_links_[static_cast<std::size_t>(hop.link)]) {
        ++sets_[static_cast<std::size_t>(set)].num_strangers;
      }
    }
  }
}

template <class Time>
void Engine<Time>::meet_sets(std::span<const LinkUse> route) {
  for (const LinkUse& use : route) {
    if (use.coefficient == 0.0 || static_cast<std::size_t>(use.link) >= sets_of_links_.size())
      continue;
    for (const std::int32_t set : sets_of_links_[static_cast<std::size_t>(use.link)]) {
      ++sets_[static_cast<std::size_t>(set)].num_strangers;
      interrupt(sets_[static_cast<std::size_t>(set)]);
    }
  }
}

template <class Time>
void Engine<Time>::part_from_sets(FlowId flow) {
  for (const Hop& hop : network_.hops(flow)) {
    if (static_cast<std::size_t>(hop.link) >= sets_of_links_.size()) continue;
    for (const std::int32_t set : sets_of_links_[static_cast<std::size_t>(hop.link)]) {
      --sets_[static_cast<std::size_t>(set)].num_strangers;
    }
  }
}

template <class Time>
void Engine<Time>::interrupt(FlowSet& set) {
  if (set.watched_round < 0) return;
  FlowRound& round = rounds_[static_cast<std::size_t>(set.watched_round)];
  if (round.way == Way::kReplayed) {
    // One that ends in this tick has ended, whatever starts now.
    if (round.start + set.pattern.last_end == now_.count) return;
    expand(set.watched_round);
  }
  round.way = Way::kSolved;
  set.watched_round = -1;
}

template <class Time>
void Engine<Time>::start(FlowSetId id, EventId event) {
  if (neighbours_known_at_ != network_.num_changes_of_capacity()) know_neighbours();
  FlowSet& set = sets_.at(static_cast<std::size_t>(id.index));
  if (free_rounds_.empty()) {
    free_rounds_.push_back(static_cast<std::int32_t>(rounds_.size()));
    rounds_.emplace_back();
  }
  const std::int32_t index = free_rounds_.back();
  free_rounds_.pop_back();
  FlowRound& round = rounds_[static_cast<std::size_t>(index)];
  round = {id.index, event, Way::kSolved, set.size(), now_.count, sequence_, neighbours_known_at_};
  for (const std::int32_t other : set.neighbours) {
    ++sets_[static_cast<std::size_t>(other)].num_strangers;
    interrupt(sets_[static_cast<std::size_t>(other)]);
  }
  interrupt(set);
  const bool is_undisturbed = set.num_running == 0 && set.num_strangers == 0;
  ++set.num_running;
  if (!is_undisturbed || !replays_) {
    start_solving(index);
    return;
  }
  set.watched_round = index;
  FlowPattern& pattern = set.pattern;
  if (pattern.num_changes_of_capacity != network_.num_changes_of_capacity() ||
      pattern.last_end >= EndTimes::kNever - now_.count) {
    pattern = {};
    pattern.ends.assign(set.size(), 0);
    round.way = Way::kRecorded;
    start_solving(index);
    return;
  }
  round.way = Way::kReplayed;
  ++num_replaying_;
  events_.push({now_.count + pattern.last_end, sequence_ + pattern.last_flow, event, index});
  sequence_ += static_cast<std::int64_t>(set.size());
}

template <class Time>
void Engine<Time>::start_solving(std::int32_t round) {
  const FlowSet& set =
      sets_[static_cast<std::size_t>(rounds_[static_cast<std::size_t>(round)].set)];
  for (std::size_t i = 0; i < set.size(); ++i) add(set.flow(i), static_cast<EventId>(i), round);
}

template <class Time>
void Engine<Time>::record(std::int32_t round, std::int32_t flow, double rate) {
  FlowRound& r = rounds_[static_cast<std::size_t>(round)];
  if (r.way != Way::kRecorded) return;
  FlowSet& set = sets_[static_cast<std::size_t>(r.set)];
  set.pattern.changes.push_back({now_.count - r.start, flow, rate});
  if (set.pattern.changes.size() > kLongestRecord * set.size()) interrupt(set);
}

template <class Time>
void Engine<Time>::record_end(std::int32_t round, std::int32_t flow) {
  FlowRound& r = rounds_[static_cast<std::size_t>(round)];
  if (r.way != Way::kRecorded) return;
  FlowPattern& pattern = sets_[static_cast<std::size_t>(r.set)].pattern;
  pattern.ends[static_cast<std::size_t>(flow)] = now_.count - r.start;
  pattern.last_end = now_.count - r.start;
  pattern.last_flow = flow;
  if (r.num_left == 1) pattern.num_changes_of_capacity = r.num_changes_of_capacity;
}

template <class Time>
void Engine<Time>::end_round(std::int32_t round) {
  FlowRound& r = rounds_[static_cast<std::size_t>(round)];
  FlowSet& set = sets_[static_cast<std::size_t>(r.set)];
  if (r.way == Way::kReplayed) {
    --num_replaying_;
    ++set.num_replayed;
  }
  r.way = Way::kOver;
  --set.num_running;
  for (const std::int32_t other : set.neighbours) {
    --sets_[static_cast<std::size_t>(other)].num_strangers;
  }
  if (set.watched_round == round) set.watched_round = -1;
  free_rounds_.push_back(round);
}

template <class Time>
auto Engine<Time>::progress_of(const FlowRound& round) const -> std::vector<Progress> {
  const FlowSet& set = sets_[static_cast<std::size_t>(round.set)];
  std::vector<Progress> all(set.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t size = set.flow(i).size;
    all[i] = {static_cast<double>(size),
              0.0,
              round.start,
              size,
              round.sequence + static_cast<std::int64_t>(i),
              static_cast<EventId>(i),
              -1};
  }
  for (const FlowPattern::Change& change : set.pattern.changes) {
    const std::int64_t when = round.start + change.when;
    // What is solved at the end of this tick is still to come.
    if (when >= now_.count) break;
    Progress& p = all[static_cast<std::size_t>(change.flow)];
    p.remaining = remaining_at(p, when);
    p.since = when;
    p.rate = change.rate;
  }
  return all;
}

template <class Time>
void Engine<Time>::expand(std::int32_t index) {
  FlowRound& round = rounds_[static_cast<std::size_t>(index)];
  const FlowSet& set = sets_[static_cast<std::size_t>(round.set)];
  --num_replaying_;
  round.way = Way::kSolved;
  round.num_left = 0;
  for (Progress& p : progress_of(round)) {
    const Flow flow = set.flow(p.event);
    const FlowId id = network_.add_checked(p.size == 0 ? Flow{} : flow, p.rate);
    const auto i = static_cast<std::size_t>(id);
    if (round.start + set.pattern.ends[p.event] <= now_.count) {
      network_.remove(id, static_cast<double>(p.size));
      continue;
    }
    ++round.num_left;
    p.round = index;
    while (i >= progress_.size()) progress_.push_back({});
    progress_[i] = p;
    if (p.rate > 0.0) ends_.set(id, end_of(p));
  }
}

template <class Time>
void Engine<Time>::expand_all() {
  for (FlowSet& set : sets_) interrupt(set);
}

template <class Time>
double Engine<Time>::carried_by_replays(LinkId link) const {
  double sum = 0.0;
  for (const FlowSet& set : sets_) {
    if (!std::ranges::binary_search(set.links(), link)) continue;
    sum += static_cast<double>(set.num_replayed) * set.carried(link);
    if (set.watched_round < 0) continue;
    const FlowRound& round = rounds_[static_cast<std::size_t>(set.watched_round)];
    if (round.way != Way::kReplayed) continue;
    for (const Progress& p : progress_of(round)) {
      const bool has_ended = round.start + set.pattern.ends[p.event] <= now_.count;
      const double moved =
          static_cast<double>(p.size) - (has_ended ? 0.0 : remaining_at(p, now_.count));
      const Flow flow = set.flow(p.event);
      for (const LinkUse& use : flow.route) {
        if (use.link == link) sum += use.coefficient * flow.multiplicity * moved;
      }
    }
  }
  return sum;
}

template <class Time>
std::int64_t Engine<Time>::num_replayed() const {
  std::int64_t sum = 0;
  for (const FlowSet& set : sets_) sum += set.num_replayed;
  return sum;
}

// The rest of the class is instantiated in engine.cpp.
template class Engine<StepTime>;
template class Engine<RunTime>;

}  // namespace railwright::core
