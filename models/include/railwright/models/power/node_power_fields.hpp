// SPDX-License-Identifier: Apache-2.0
// The keys of node_power.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/power/node_power.hpp"

namespace railwright::models {

constexpr auto PowerPlan::fields() {
  using core::field;
  return core::field_list(
      field("node_cap", &PowerPlan::node_cap,
            "The most that a node may draw: accelerators clock down while they compute.",
            core::positive, core::formerly("server_cap")),
      field("accelerator_cap", &PowerPlan::accelerator_cap,
            "The most that an accelerator may draw, as its driver limits it.", core::positive),
      field("pue", &PowerPlan::pue,
            "Power of the building over that of the equipment in it; 1: the equipment alone.",
            core::between(1, 10), core::optional),
      field("carbon_intensity", &PowerPlan::carbon_intensity,
            "Grams of CO2 that a kilowatt-hour of the grid stands for; without it no emissions.",
            core::between(0, 2000), core::optional));
}

}  // namespace railwright::models
