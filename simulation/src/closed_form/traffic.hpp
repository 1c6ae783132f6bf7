// SPDX-License-Identifier: Apache-2.0
// The kinds of transfers of a step, in the order of the rows of tables.
#pragma once

#include <cstddef>
#include <cstdint>

namespace railwright::simulation {

/// Kinds of traffic of a stage, in the order of LinkRows.
enum class Traffic : std::uint8_t {
  kTensor,
  kExpert,
  kContext,
  kSendForward,
  kSendBackward,
  kDenseReduce,
  kDenseGather,
  kExpertReduce,
  kExpertGather,
};
inline constexpr std::size_t kNumTraffic = 9;
constexpr std::size_t traffic_index(std::size_t stage_class, Traffic traffic) {
  return stage_class * kNumTraffic + static_cast<std::size_t>(traffic);
}

inline constexpr std::size_t kNumSyncs = 2;  ///< dense parameters, experts

}  // namespace railwright::simulation
