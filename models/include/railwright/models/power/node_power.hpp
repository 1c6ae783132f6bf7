// SPDX-License-Identifier: Apache-2.0
// The power of a node by activity and part, and its compute speed under power caps.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/power/node_power_by_part.hpp"

namespace railwright::models {

/// Power caps, and what the building adds.
struct PowerPlan {
  std::optional<core::Power> node_cap;
  std::optional<core::Power> accelerator_cap;
  double pue = 1.0;
  double carbon_intensity = 0.0;

  static constexpr auto fields();
};

/// Time or any other weight of each activity.
using ActivityTimes = std::array<core::Duration, kNumActivities>;

struct NodePower {
  std::array<NodePowerByPart, kNumActivities> by_activity{};
  double clock = 1.0;  ///< clock of accelerators while computing, over that without a cap

  [[nodiscard]] const NodePowerByPart& parts_of(Activity activity) const {
    return by_activity[static_cast<std::size_t>(activity)];
  }
  [[nodiscard]] core::Power of(Activity activity) const { return parts_of(activity).total(); }
  /// Returns the mean over time; the power of kIdle if the times are zero.
  [[nodiscard]] NodePowerByPart mean(const ActivityTimes& times) const;
};

/// Returns what the parts of the node draw. Under a cap P no activity draws more, and
///   clock = ((P - idle) / (compute - idle))^(1/3)
/// where the powers are an accelerator's under `accelerator_cap` and a node's under `node_cap`; the
/// lower clock counts, and it is 1 without a cap. A cap at or below idle leaves a clock of 0.
NodePower node_power(const core::ComputeNode& node, const PowerPlan& plan);

/// Returns the accelerator with products and attention at `clock` of their rate; memory and links
/// keep theirs. Peaks stay, so utilizations refer to the rates on the data sheet.
core::Accelerator at_clock(core::Accelerator accelerator, double clock);

/// Returns the kilograms of CO2 that an energy stands for, at so many grams a kilowatt-hour.
double carbon_kg(core::Energy energy, double carbon_intensity);

}  // namespace railwright::models
