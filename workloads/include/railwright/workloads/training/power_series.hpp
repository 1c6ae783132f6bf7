// SPDX-License-Identifier: Apache-2.0
// Power of a cluster over the time of a step.
#pragma once

#include <span>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/power/node_power.hpp"

namespace railwright::simulation {

struct StepTrace;

/// Power of the equipment: means over windows of equal width, from the start of a step on.
struct PowerSeries {
  core::Duration width;
  std::vector<core::Power> mean;

  /// Returns the difference between the largest and the smallest mean.
  [[nodiscard]] core::Power swing() const;
  /// Returns the largest change from one window to the next over its width, in W/s.
  [[nodiscard]] double ramp_w_per_s() const;
  PowerSeries& operator*=(double factor);
};

/// Power above idle from one time to another.
struct PowerSpan {
  core::Duration start;
  core::Duration end;
  core::Power above;
};

/// Returns the power until `end` of equipment that draws `idle` without the spans, in 512 windows.
PowerSeries power_over(std::span<const PowerSpan> spans, core::Duration end, core::Power idle);

/// Returns the power over a traced step of equipment that draws `idle` without it. A rank computes
/// while it runs a kernel; for the rest of the operations it communicates, and it idles from their
/// end to `step_time`. Windows are at least 10 ms, over which power supplies hold what they draw
/// (an estimate), and at most 512.
PowerSeries power_over_step(const StepTrace& trace, core::Duration step_time,
                            const models::NodePower& node, int accelerators_per_node,
                            core::Power idle);

}  // namespace railwright::simulation
