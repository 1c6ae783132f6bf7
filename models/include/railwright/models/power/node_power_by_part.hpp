// SPDX-License-Identifier: Apache-2.0
// The power of a node by part and by what its accelerators do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "railwright/core/hardware/node.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

enum class Activity : std::uint8_t {
  kIdle,           ///< nothing runs on the accelerators
  kCompute,        ///< all of them compute
  kCommunication,  ///< all of them exchange data, or wait for one another
};
inline constexpr std::size_t kNumActivities = 3;

enum class NodePart : std::uint8_t {
  kAccelerators,
  kHosts,  ///< processors, memory, drives, boards, switches of the scale-up domain
  kNics,   ///< without transceivers
  kFans,
  kPowerSupplies,  ///< what they lose
};
inline constexpr auto kNodeParts =
    std::to_array<std::string_view>({"accelerators", "hosts", "nics", "fans", "power_supplies"});

/// Powers by part; they add up to what meters at the plug of the node show.
struct NodePowerByPart {
  std::array<core::Power, kNodeParts.size()> by_part{};  ///< indexed by NodePart

  [[nodiscard]] core::Power of(NodePart part) const {
    return by_part[static_cast<std::size_t>(part)];
  }
  [[nodiscard]] core::Power total() const;
  NodePowerByPart& operator+=(const NodePowerByPart& other);
};

NodePowerByPart operator+(NodePowerByPart a, const NodePowerByPart& b);
NodePowerByPart operator*(NodePowerByPart power, double factor);

/// Fans of an air-cooled node add this share of the rest, an estimate; power supplies pass on this
/// share of what they draw [@mlcommons_training_v40].
inline constexpr double kFanShare = 0.15;
inline constexpr double kPowerSupplyEfficiency = 0.97;

/// Returns the power of one accelerator: `power_idle`, 0.99 of its design power while it computes
/// and 0.62 of it while it communicates. The shares are what 8 x H100 draw beside the rest of their
/// node [@mlcommons_training_v40].
core::Power accelerator_power(const core::Accelerator& accelerator, Activity activity);

/// Returns the power of a node:
///   (accelerators + hosts + NICs) * (1 + kFanShare * air-cooled share) / kPowerSupplyEfficiency
/// Where the node has a measured power for the activity, hosts take the difference.
NodePowerByPart node_power_by_part(const core::ComputeNode& node, Activity activity);

/// Returns `power` with accelerators that draw at most `each`, and with what their fans and
/// supplies then take less.
NodePowerByPart with_accelerators_at_most(const core::ComputeNode& node, NodePowerByPart power,
                                          core::Power each);

/// Returns `power` with accelerators that leave the node at most `total` at its plug, or what the
/// rest of it draws.
NodePowerByPart with_total_at_most(const core::ComputeNode& node, NodePowerByPart power,
                                   core::Power total);

}  // namespace railwright::models
