// SPDX-License-Identifier: Apache-2.0
// Hits in the last cache before memory, of bytes that are used again.
#pragma once

#include <algorithm>

namespace railwright::models {

/// Share of the way up to the capacity over which hits fade from all to none: an estimate.
inline constexpr double kCacheEdge = 0.3;

/// Returns the share of `bytes` that is found in a cache which holds up to `capacity` of them.
inline double cached_share(double capacity, double bytes, double edge = kCacheEdge) {
  return capacity > 0.0 ? std::clamp((capacity - bytes) / (edge * capacity), 0.0, 1.0) : 0.0;
}

/// Returns the time of bytes of which a share is read `speedup` times as fast, over that of others.
inline double cached_time(double share, double speedup) {
  return 1.0 - share * (1.0 - 1.0 / speedup);
}

}  // namespace railwright::models
