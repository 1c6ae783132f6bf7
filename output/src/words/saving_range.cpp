// SPDX-License-Identifier: Apache-2.0
#include "saving_range.hpp"

#include <cmath>

namespace railwright::output {

namespace {

struct SiteSpread {
  double low = 1.0;
  double high = 1.0;
};

SiteSpread spread_of(const simulation::SimulationResult& result) {
  return {.low = result.step_time_low / result.step_time,
          .high = result.step_time_high / result.step_time};
}

}  // namespace

std::optional<SavingRange> saving_range(double saving, const simulation::SimulationResult& faster,
                                        const simulation::SimulationResult& slower) {
  constexpr double kSame = 1e-6;
  const SiteSpread spread = spread_of(slower);
  const SiteSpread other = spread_of(faster);
  const bool is_same =
      std::abs(spread.low - other.low) < kSame && std::abs(spread.high - other.high) < kSame;
  if (!is_same || !(spread.low < spread.high)) return std::nullopt;
  return SavingRange{.low = saving / spread.high, .high = saving / spread.low};
}

}  // namespace railwright::output
