// SPDX-License-Identifier: Apache-2.0
// Sharing of links between calls within passes and the collectives that overlap with them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "bottleneck_table.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Collectives that overlap with passes.
enum class Background : std::uint8_t { kReduce, kGather };
inline constexpr std::size_t kNumBackgrounds = 2;

/// Rates of concurrent transfers, as shares of their rates in isolation.
struct Shares {
  double call = 1.0;
  std::array<double, kNumBackgrounds> background{1.0, 1.0};
  bool operator==(const Shares&) const = default;
};

/// The max-min fair shares of a class of stages, for each call (or none) and each set of
/// collectives that overlaps with it.
class Contention {
 public:
  static constexpr std::size_t kNoCall = kNumLayerCalls;

  Contention() = default;
  /// Takes the links and ceilings of one stage, indexed by kind of traffic.
  Contention(const LinkRows& links, const std::vector<double>& ceilings);
  bool operator==(const Contention&) const = default;

  [[nodiscard]] const Shares& shares(std::size_t call, bool reduces, bool gathers) const {
    return shares_[call][(reduces ? 1U : 0U) + (gathers ? 2U : 0U)];
  }

 private:
  static constexpr std::size_t kNumSets = 4;
  std::array<std::array<Shares, kNumSets>, kNumLayerCalls + 1> shares_{};
};

}  // namespace railwright::simulation
