// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/time.hpp"

#include <string>

#include "railwright/core/error.hpp"
#include "rounding.hpp"

namespace railwright::core {

void detail::throw_clock_overflow() {
  throw SimulationError(
      "simulated time is beyond what the clock can hold: 106 days for a step, 292 years for a run");
}

template <class Time>
Time ticks_at_or_after(Duration seconds) {
  const double exact = seconds.base() * static_cast<double>(Time::kPerSecond);
  if (!(exact >= 0.0)) {
    throw SimulationError("a span of simulated time is negative or not a number: " +
                          std::to_string(seconds.base()) + " s");
  }
  const double whole = ceil_forgiving(exact);
  // Infinity minus infinity is NaN, which this also refuses.
  if (!(whole < kClockEnd)) detail::throw_clock_overflow();
  return Time{static_cast<std::int64_t>(whole)};
}

template StepTime ticks_at_or_after<StepTime>(Duration);
template RunTime ticks_at_or_after<RunTime>(Duration);

}  // namespace railwright::core
