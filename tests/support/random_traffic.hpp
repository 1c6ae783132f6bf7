// SPDX-License-Identifier: Apache-2.0
// Random fabrics and traffic, most of it with structure: what is regular finds other mistakes than
// what is not.
#pragma once

#include <cstdint>

#include "traffic.hpp"

namespace railwright::test {

enum class Shape : std::uint8_t {
  kUniform,      ///< any flow over any links
  kPermutation,  ///< leaf-spine, every host sends to one other
  kAllToAll,     ///< leaf-spine, equal or skewed sizes
  kRing,         ///< steps, each after the last or with a barrier, now and then a stranger
  kComponents,   ///< islands that share nothing, of equal or different traffic
  kChain,        ///< each flow shares a link with the next one only
};
inline constexpr int kNumShapes = 6;

/// The same for the same arguments, everywhere. Sizes are from 1 to 10^18 and there are flows of
/// size 0, equal sizes, ceilings, multiplicities, weights, odd coefficients, changes of capacity
/// and links that fail and come back; how many of each depends on the seed.
Traffic random_traffic(Shape shape, std::uint64_t seed, std::int64_t ticks_per_second);

}  // namespace railwright::test
