// SPDX-License-Identifier: Apache-2.0
// A scenario's file that includes others.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::planner {

/// load_scenario_tree of scenario.hpp; files that it includes may lie in `include_folders` beside
/// the scenario's own.
core::Node load_scenario_tree(const std::string& path, const std::vector<std::string>& settings,
                              const std::vector<std::string>& include_folders);

}  // namespace railwright::planner
