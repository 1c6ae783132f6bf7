// SPDX-License-Identifier: Apache-2.0
// The keys of installation.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/software/installation.hpp"

namespace railwright::models {

constexpr auto Installation::fields() {
  using core::between;
  using core::field;
  return core::field_list(
      field("name", &Installation::name, "Name in the catalogue.", core::optional),
      field("description", &Installation::description, "The site in words.", core::optional),
      field("compute_efficiency", &Installation::compute_efficiency,
            "Speed of all computation over what the device and software profiles say; above 1 "
            "where a site is faster than those that they were fitted to.",
            between(1e-3, 2.0), core::optional),
      field("nic_efficiency", &Installation::nic_efficiency,
            "Bandwidth through a scale-out NIC, as a share of what the NIC profile says.",
            between(1e-3, 1.0), core::optional),
      field("step_time_low", &Installation::step_time_low,
            "Measured over predicted step time that a tenth of sites of this kind stay below.",
            between(1e-3, 1.0), core::optional),
      field("step_time_high", &Installation::step_time_high,
            "Measured over predicted step time that a tenth of sites of this kind exceed.",
            between(1.0, 1e3), core::optional),
      field("fitted_with", &Installation::fitted_with,
            "Settings of software and devices that the runs had which it was fitted to, such as "
            "software.overlap_pipeline=false: without them its factors are estimates.",
            core::optional));
}

}  // namespace railwright::models
