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

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("vary", &SweepSpace::vary, "Keys and their values, in all combinations.",
              core::optional),
        field("cases", &SweepSpace::cases,
              "Settings laid over the scenario before these; the scenario itself where there are "
              "none.",
              core::optional));
  }
};

}  // namespace railwright::simulation
