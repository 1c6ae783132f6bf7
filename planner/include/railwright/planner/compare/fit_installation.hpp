// SPDX-License-Identifier: Apache-2.0
// The installation of a comparison, fitted again to the case that it was fitted to.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "railwright/planner/site_fit/measured_run.hpp"

namespace railwright::planner {

struct Fit {
  double compute_efficiency = 1.0;
  double nic_efficiency = 1.0;
  double largest_residual = 0.0;  ///< relative, over the measurements
};

struct NoFit {
  std::string why;
};

/// The factors at which simulation meets the measured step times. No fit where the measurements
/// cannot tell the factors apart, or where the site would have to be faster than its devices.
std::variant<Fit, NoFit> fit_installation(const std::vector<MeasuredRun>& runs);

}  // namespace railwright::planner
