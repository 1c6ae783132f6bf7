// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "railwright/core/units/quantity.hpp"

namespace railwright::simulation {

/// Mean and percentiles of times.
struct Percentiles {
  core::Duration mean;
  core::Duration p50;
  core::Duration p90;
  core::Duration p99;
};

/// Returns the time that so large a share of the times, in seconds, does not exceed. Changes their
/// order; there must be one.
core::Duration quantile(std::vector<double>& values, double share);

/// Returns those of times in seconds, whose order it changes; zeros for none.
Percentiles percentiles(std::vector<double>& values);

}  // namespace railwright::simulation
