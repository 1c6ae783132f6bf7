// SPDX-License-Identifier: Apache-2.0
// The event queue alone, by the hold model [@jones1986empirical]: take the first of many pending
// events, put another one 1 to 10^6 ticks later. Prints what a schedule and a dispatch of an empty
// event cost, beside std::priority_queue with entries of the same size on the same draws.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "processor_time.hpp"
#include "railwright/core/sim/engine.hpp"
#include "railwright/core/sim/random.hpp"

namespace {

using railwright::core::EventId;
using railwright::core::RandomStream;
using railwright::core::StepTime;
using railwright::workloads::processor_seconds;

constexpr int kHolds = 2'000'000;

/// How much later the next event is, the same for both queues.
std::vector<std::int64_t> draw_delays(std::size_t num) {
  RandomStream random(1);
  std::vector<std::int64_t> delays(num);
  for (std::int64_t& delay : delays) {
    delay = 1 + static_cast<std::int64_t>(random.below(1'000'000));
  }
  return delays;
}

/// Seconds for all holds after `num_pending` events were put in; `sum` of what came out.
struct Timed {
  double seconds = 0.0;
  std::int64_t sum = 0;
};

template <class Hold>
Timed time_holds(std::span<const std::int64_t> delays, Hold hold) {
  Timed timed;
  const double begin = processor_seconds();
  for (const std::int64_t delay : delays) timed.sum += hold(delay);
  timed.seconds = processor_seconds() - begin;
  return timed;
}

Timed hold_engine(std::span<const std::int64_t> delays, std::size_t num_pending) {
  railwright::core::Engine<StepTime> engine;
  for (std::size_t i = 0; i < num_pending; ++i) engine.schedule({delays[i]}, 0);
  return time_holds(delays.subspan(num_pending), [&](std::int64_t delay) {
    EventId event = 0;
    engine.next(event);
    engine.schedule(engine.now() + StepTime{delay}, event);
    return engine.now().count;
  });
}

Timed hold_standard(std::span<const std::int64_t> delays, std::size_t num_pending) {
  struct Entry {
    std::int64_t time;
    std::int64_t sequence;
    std::int32_t flow;
    std::uint32_t event;
  };
  static_assert(sizeof(Entry) == 24);
  const auto is_later = [](const Entry& a, const Entry& b) {
    return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
  };
  std::priority_queue<Entry, std::vector<Entry>, decltype(is_later)> queue(is_later);
  std::int64_t sequence = 0;
  for (std::size_t i = 0; i < num_pending; ++i) queue.push({delays[i], sequence++, -1, 0});
  return time_holds(delays.subspan(num_pending), [&](std::int64_t delay) {
    const Entry entry = queue.top();
    queue.pop();
    queue.push({entry.time + delay, sequence++, -1, entry.event});
    return entry.time;
  });
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main() {
  bool is_same = true;
  fmt::print(
      "| pending | railwright ns | std::priority_queue ns | ratio |\n|---:|---:|---:|---:|\n");
  for (const std::size_t num_pending : {1'000, 64'000, 1'000'000}) {
    const std::vector<std::int64_t> delays = draw_delays(num_pending + kHolds);
    std::vector<double> ours;
    std::vector<double> standard;
    // In turns, so that a busy machine slows both.
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Timed engine = hold_engine(delays, num_pending);
      const Timed queue = hold_standard(delays, num_pending);
      is_same = is_same && engine.sum == queue.sum;
      ours.push_back(engine.seconds * 1e9 / kHolds);
      standard.push_back(queue.seconds * 1e9 / kHolds);
    }
    fmt::print("| {} | {:.1f} | {:.1f} | {:.2f} |\n", num_pending, median(ours), median(standard),
               median(ours) / median(standard));
  }
  return is_same ? 0 : 1;
}
