// SPDX-License-Identifier: Apache-2.0
// Converts a value of a scenario to a cell of a table.
#pragma once

#include "railwright/core/config/tree.hpp"
#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::planner {

/// Keeps plain numbers and truth values as such; writes lists and mappings as YAML.
SweepValue cell_of(const core::Node& value);

}  // namespace railwright::planner
