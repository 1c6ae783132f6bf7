// SPDX-License-Identifier: Apache-2.0
#include "traffic.hpp"

namespace railwright::test {

using core::EventId;

template <class Time>
std::vector<std::int64_t> engine_ends(const Traffic& traffic) {
  // Events: the end of each transfer, the start of each, each change.
  const std::size_t num = traffic.transfers.size();
  core::Engine<Time> engine;
  for (const double capacity : traffic.capacities) engine.network().add_link(capacity);
  Waiting waiting(traffic);
  std::vector<std::int64_t> ends(num, -1);

  const auto start = [&](std::size_t t) {
    const Transfer& transfer = traffic.transfers[t];
    engine.start({.route = transfer.route,
                  .size = transfer.size,
                  .ceiling = transfer.ceiling,
                  .multiplicity = transfer.multiplicity,
                  .weight = transfer.weight},
                 static_cast<EventId>(t));
  };
  for (std::size_t t = 0; t < num; ++t) {
    if (!traffic.transfers[t].after.empty()) continue;
    engine.schedule(Time{traffic.transfers[t].start}, static_cast<EventId>(num + t));
  }
  for (std::size_t c = 0; c < traffic.changes.size(); ++c) {
    engine.schedule(Time{traffic.changes[c].when}, static_cast<EventId>(2 * num + c));
  }
  EventId event = 0;
  while (engine.next(event)) {
    if (event >= 2 * num) {
      const CapacityChange& change = traffic.changes[event - 2 * num];
      engine.network().set_capacity(change.link, change.capacity);
    } else if (event >= num) {
      start(event - num);
    } else {
      ends[event] = engine.now().count;
      waiting.end(event, [&](std::size_t t) {
        if (traffic.transfers[t].start == 0) {
          start(t);
        } else {
          engine.schedule(engine.now() + Time{traffic.transfers[t].start},
                          static_cast<EventId>(num + t));
        }
      });
    }
  }
  return ends;
}

template std::vector<std::int64_t> engine_ends<core::StepTime>(const Traffic&);
template std::vector<std::int64_t> engine_ends<core::RunTime>(const Traffic&);

}  // namespace railwright::test
