// SPDX-License-Identifier: Apache-2.0
// The properties of one site. Neutral by default; fitted to that site's own measurements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"

namespace railwright::models {

/// Factors on the predictions of device and software profile. 1 leaves them unchanged.
struct Installation {
  static constexpr std::string_view kKind = "installations";

  std::string name;
  std::string description;
  core::Sourced<double> compute_efficiency{1.0, "neutral", false};
  core::Sourced<double> nic_efficiency{1.0, "neutral", false};
  core::Sourced<double> step_time_low{1.0, "neutral", false};
  core::Sourced<double> step_time_high{1.0, "neutral", false};
  std::vector<std::string> fitted_with;

  static constexpr auto fields();
};

}  // namespace railwright::models
