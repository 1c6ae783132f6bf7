// SPDX-License-Identifier: Apache-2.0
// Simulated time as integer ticks: picoseconds inside a step, nanoseconds in a run.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

namespace detail {
[[noreturn]] void throw_clock_overflow();
}  // namespace detail

/// A point or span of simulated time. Clocks of different resolution do not mix; convert through
/// Duration. Step clocks end at 106 days, run clocks at 292 years; times beyond are a
/// SimulationError.
template <std::int64_t TicksPerSecond>
struct Ticks {
  static constexpr std::int64_t kPerSecond = TicksPerSecond;
  std::int64_t count = 0;

  constexpr auto operator<=>(const Ticks&) const = default;
  friend constexpr Ticks operator+(Ticks a, Ticks b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.count, b.count, &sum)) detail::throw_clock_overflow();
    return {sum};
  }
  friend constexpr Ticks operator-(Ticks a, Ticks b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.count, b.count, &difference)) detail::throw_clock_overflow();
    return {difference};
  }
  [[nodiscard]] constexpr Duration duration() const {
    return Duration::from_base(static_cast<double>(count) / static_cast<double>(kPerSecond));
  }
  static constexpr Ticks never() { return {std::numeric_limits<std::int64_t>::max()}; }
};

using StepTime = Ticks<1'000'000'000'000>;
using RunTime = Ticks<1'000'000'000>;

/// Rounds up to the next tick. An excess of a few units in the last place of a double does not push
/// a whole number of ticks to the next. Throws SimulationError if negative, NaN or beyond the
/// clock.
template <class Time>
Time ticks_at_or_after(Duration seconds);

extern template StepTime ticks_at_or_after<StepTime>(Duration);
extern template RunTime ticks_at_or_after<RunTime>(Duration);

}  // namespace railwright::core
