// SPDX-License-Identifier: Apache-2.0
// Numbers that both ways of filling share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "railwright/core/sim/flow_state.hpp"

namespace railwright::core {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A link of this capacity or more never binds: no level that is reached comes near.
inline constexpr double kUnlimitedCapacity = 1e300;
inline constexpr double kUnlimitedLevel = 1e250;
/// Levels within this of one another are the same level: rounding, not news.
inline constexpr double kSameLevel = 8.0 * std::numeric_limits<double>::epsilon();
/// A rate within this of the old one is the old one.
inline constexpr double kSameRate = 1e-14;

/// So few flows are always solved sparsely.
inline constexpr std::size_t kFewFlows = 64;

/// What units per second are in the whole numbers of a link. Always the same for the same
/// arguments, so what was added is what is taken away.
inline std::int64_t whole_load(double load, double scale) {
  return static_cast<std::int64_t>(load * scale);
}

}  // namespace railwright::core
