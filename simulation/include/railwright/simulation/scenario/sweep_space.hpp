// SPDX-License-Identifier: Apache-2.0
// The part of a scenario file that `sweep` reads: its points.
#pragma once

#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/simulation/scenario/variant.hpp"

namespace railwright::simulation {

/// Points of a sweep: every case with every combination of the values, the last key varying
/// fastest.
struct SweepSpace {
  std::vector<Variation> vary;
  std::vector<Variant> cases;

  static constexpr auto fields();
};

}  // namespace railwright::simulation
