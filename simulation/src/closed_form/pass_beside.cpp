// SPDX-License-Identifier: Apache-2.0
#include "pass_beside.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace railwright::simulation {

namespace {

using core::Duration;

constexpr double kMaxTurns = 8.0;  // alternations of computation and calls in a pass
constexpr Duration kNever = Duration::from_base(std::numeric_limits<double>::infinity());

Duration left_after(Duration time, double share, Duration left) {
  const Duration rest = left - time * share;
  return rest > left * 1e-12 ? rest : Duration{};
}

}  // namespace

Duration PassClock::next_change(const Shares& shares) const {
  Duration next = kNever;
  for (std::size_t b = 0; b < kNumBackgrounds; ++b) {
    const Remaining& left = beside[b];
    if (left.is_done()) continue;
    next = std::min(next,
                    left.latency > Duration{} ? left.latency : left.bytes / shares.background[b]);
  }
  return next;
}

void PassClock::go_on(Duration time, const Shares& shares) {
  now_ += time;
  for (std::size_t b = 0; b < kNumBackgrounds; ++b) {
    Remaining& left = beside[b];
    if (left.latency > Duration{}) {
      left.latency = left_after(time, 1.0, left.latency);
    } else {
      left.bytes = left_after(time, shares.background[b], left.bytes);
    }
  }
}

void PassClock::spend(Duration time, double slowdown) {
  while (time > Duration{}) {
    const double pace = is_idle() ? 1.0 : 1.0 / slowdown;
    const Shares& shares = contention_.shares(Contention::kNoCall, beside[0].bytes > Duration{},
                                              beside[1].bytes > Duration{});
    const Duration step = std::min(time / pace, next_change(shares));
    go_on(step, shares);
    slowed_ += step * (1.0 - pace);
    time = left_after(step, pace, time);
  }
}

Duration PassClock::call(std::size_t call, Duration alone) {
  const Duration begin = now_;
  wait(alone * latency_of_calls_[call]);
  Duration bytes = alone * (1.0 - latency_of_calls_[call]);
  while (bytes > Duration{}) {
    const auto sends = [&](std::size_t b) {
      return beside[b].latency <= Duration{} && beside[b].bytes > Duration{};
    };
    const Shares& shares = contention_.shares(call, sends(0), sends(1));
    const Duration step = std::min(bytes / shares.call, next_change(shares));
    go_on(step, shares);
    bytes = left_after(step, shares.call, bytes);
  }
  return now_ - begin;
}

void PassClock::pass(const PassShape& shape, double layers) {
  const double turns = std::clamp(std::round(layers), 1.0, kMaxTurns);
  for (int turn = 0; turn < static_cast<int>(turns); ++turn) {
    if (is_idle()) {
      now_ += shape.total() * ((turns - turn) / turns);
      return;
    }
    compute(shape.alone * (1.0 / turns));
    for (std::size_t i = 0; i < kNumLayerCalls; ++i) {
      const Duration alone = shape.calls[i] * (1.0 / turns);
      const Duration computation = shape.beside[i] * (1.0 / turns);
      const Duration time = call(i, alone);
      if (computation > time) compute(computation - time);
      delays_[i] += std::max(time, computation) - std::max(alone, computation);
    }
  }
}

void PassClock::wait_for(Background background) {
  const Remaining& left = beside[static_cast<std::size_t>(background)];
  while (!left.is_done()) {
    const Shares& shares = contention_.shares(Contention::kNoCall, beside[0].bytes > Duration{},
                                              beside[1].bytes > Duration{});
    go_on(next_change(shares), shares);
  }
}

}  // namespace railwright::simulation
