// SPDX-License-Identifier: Apache-2.0
// Fits an installation's two factors to measured step times.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

struct Measurement {
  simulation::CheckedScenario scenario;
  core::Duration step_time;
};

struct Fit {
  double compute_efficiency = 1.0;
  double nic_efficiency = 1.0;
  double largest_residual = 0.0;  ///< relative, over the measurements
};

struct NoFit {
  std::string why;
};

/// The factors at which simulation meets the measured step times: Gauss-Newton on their logarithms,
/// each step simulated. No fit where the measurements cannot tell the factors apart, or where they
/// would have to exceed 1.
std::variant<Fit, NoFit> fit_installation(const std::vector<Measurement>& measurements);

}  // namespace railwright::planner
