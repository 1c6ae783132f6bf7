// SPDX-License-Identifier: Apache-2.0
// A value of a scenario as a table has it.
#pragma once

#include "railwright/core/config/tree.hpp"
#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::planner {

/// Plain numbers and truths as such, lists and mappings as YAML.
SweepValue cell_of(const core::Node& value);

}  // namespace railwright::planner
