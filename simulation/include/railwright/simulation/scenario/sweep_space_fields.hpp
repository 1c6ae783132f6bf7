// SPDX-License-Identifier: Apache-2.0
// The keys of sweep_space.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/simulation/scenario/sweep_space.hpp"
#include "railwright/simulation/scenario/variant_fields.hpp"

namespace railwright::simulation {

constexpr auto SweepSpace::fields() {
  using core::field;
  return core::field_list(
      field("vary", &SweepSpace::vary, "Keys and their values, in all combinations.",
            core::optional),
      field("cases", &SweepSpace::cases,
            "Settings laid over the scenario before these; the scenario itself where there are "
            "none.",
            core::optional));
}

}  // namespace railwright::simulation
