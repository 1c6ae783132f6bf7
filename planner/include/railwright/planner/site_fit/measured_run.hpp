// SPDX-License-Identifier: Apache-2.0
// A measured step time of a site.
#pragma once

#include <optional>
#include <string>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

/// A step that was timed at a site.
struct MeasuredRun {
  std::string name;
  std::string source;
  core::Node tree;  ///< the tree that `scenario` was read from
  simulation::CheckedScenario scenario;
  core::Duration step_time;
  std::optional<core::Duration> standard_error;
};

}  // namespace railwright::planner
