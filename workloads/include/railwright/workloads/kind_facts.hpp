// SPDX-License-Identifier: Apache-2.0
// Facts of a kind of scenario: the key that tells it, its words, and what makes one better.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "railwright/simulation/results/result_number.hpp"

namespace railwright::simulation {

/// A criterion that makes a point of a sweep better than another.
struct SweepGoal {
  std::string_view name;    ///< in JSON: "shortest_step"
  std::string_view words;   ///< "shortest step"
  std::string_view column;  ///< column of the table
  NumberFormat format = NumberFormat::kPlain;
  bool wants_least = true;
};
inline constexpr std::size_t kNumSweepGoals = 2;
using SweepGoals = std::array<SweepGoal, kNumSweepGoals>;

struct KindFacts {
  std::string_view key;    ///< section of a scenario that tells the kind
  std::string_view says;   ///< what such a scenario describes: "several jobs"
  SweepGoals goals;        ///< the first also ranks designs side by side
  bool has_fabric = true;  ///< reports draw the fabric of its cluster
};

}  // namespace railwright::simulation
