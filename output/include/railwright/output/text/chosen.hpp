// SPDX-License-Identifier: Apache-2.0
// Choices made for a scenario that leaves things open: as text, JSON and comments of a file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "railwright/core/config/tree.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"

namespace railwright::output {

/// Lists keys, values and reasons under a headline; empty where nothing was chosen.
std::string chosen_text(std::span<const planner::Chosen> chosen);

/// Adds the list to the JSON of a result, as `chosen`, unless nothing was chosen.
std::string with_chosen(const std::string& result_json, std::span<const planner::Chosen> chosen);

/// Returns the scenario as a file that says what `command` left unsaid, with the reasons.
std::string scenario_file(const core::Node& tree, std::span<const planner::Chosen> chosen,
                          std::string_view command);

}  // namespace railwright::output
