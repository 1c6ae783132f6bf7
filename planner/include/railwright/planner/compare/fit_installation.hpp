// SPDX-License-Identifier: Apache-2.0
// Refits the installation of a comparison to the case that it was fitted to.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace railwright::planner {

struct MeasuredRun;

struct Fit {
  double compute_efficiency = 1.0;
  double nic_efficiency = 1.0;
  double largest_residual = 0.0;  ///< relative, over the measurements
};

struct NoFit {
  std::string why;
};

/// Finds the factors at which simulation meets the measured step times. No fit where fewer than two
/// are measured, where they cannot tell the factors apart, where no factors meet two of them, or
/// where the site would have to be faster than its devices.
std::variant<Fit, NoFit> fit_installation(const std::vector<MeasuredRun>& runs);

}  // namespace railwright::planner
