// SPDX-License-Identifier: Apache-2.0
// Constants of both methods of filling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "railwright/core/sim/flow_state.hpp"

namespace railwright::core {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Capacity from which a link never binds: no level that is reached comes near.
inline constexpr double kUnlimitedCapacity = 1e300;
inline constexpr double kUnlimitedLevel = 1e250;
/// Relative difference within which levels are equal: rounding, not a change.
inline constexpr double kSameLevel = 8.0 * std::numeric_limits<double>::epsilon();
/// Relative change below which a rate counts as unchanged.
inline constexpr double kSameRate = 1e-14;

/// Number of flows added when the share of flows that a solve changes is computed, so that small
/// networks tend to stay sparse. Also the minimum number of releases before a sparse fill gives up.
inline constexpr std::size_t kFewFlows = 64;

/// Converts units per second to the whole numbers of a link. The result depends only on the
/// arguments, so subtracting a load undoes adding it exactly.
inline std::int64_t whole_load(double load, double scale) {
  return static_cast<std::int64_t>(load * scale);
}

}  // namespace railwright::core
