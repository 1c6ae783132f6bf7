// SPDX-License-Identifier: Apache-2.0
// The power of a node by activity, and its compute speed under a power cap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// A power cap on nodes, and the building's overhead.
struct PowerPlan {
  std::optional<core::Power> node_cap;
  double clock_exponent = 3.0;
  double pue = 1.0;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("node_cap", &PowerPlan::node_cap,
              "The most that a node may draw: accelerators clock down while they compute.",
              core::positive, core::formerly("server_cap")),
        field("clock_exponent", &PowerPlan::clock_exponent,
              "What power above idle goes with, as a power of the clock: 3 where voltage follows "
              "the clock, 1 where it stays.",
              core::between(1, 10), core::optional),
        field("pue", &PowerPlan::pue,
              "Power of the building over that of the equipment in it; 1: the equipment alone.",
              core::between(1, 10), core::optional));
  }
};

enum class Activity : std::uint8_t {
  kIdle,           ///< nothing runs on the accelerators
  kCompute,        ///< all of them compute
  kCommunication,  ///< all of them exchange data, or wait for one another
};
inline constexpr std::size_t kNumActivities = 3;

/// Time or any other weight of each activity.
using ActivityTimes = std::array<core::Duration, kNumActivities>;

struct NodePower {
  std::array<core::Power, kNumActivities> by_activity{};
  double clock = 1.0;  ///< clock of accelerators while computing, over that without a cap

  [[nodiscard]] core::Power of(Activity activity) const {
    return by_activity[static_cast<std::size_t>(activity)];
  }
  /// Returns the mean over time; the power of kIdle if the times are zero.
  [[nodiscard]] core::Power mean(const ActivityTimes& times) const;
};

/// Returns the node's own figures. A missing one is the node's mean power while training, times the
/// ratio measured on 8 x H100 [@mlcommons_training_v40]. Under a cap P no activity draws more, and
///   clock = ((P - idle) / (compute - idle))^(1 / clock_exponent)
/// which is 1 without a cap. A cap at or below idle leaves a clock of 0.
NodePower node_power(const core::ComputeNode& node, const PowerPlan& plan);

/// Returns the accelerator with products and attention at `clock` of their rate; memory and links
/// keep theirs. Peaks stay, so utilizations refer to the rates on the data sheet.
core::Accelerator at_clock(core::Accelerator accelerator, double clock);

}  // namespace railwright::models
