// SPDX-License-Identifier: Apache-2.0
// A question as a scenario file that says what was chosen for it.
#pragma once

#include <string>
#include <string_view>

#include "railwright/planner/unsaid/unsaid.hpp"

namespace railwright::output {

/// Returns the scenario in block style, `command` above it and the reason behind each choice.
std::string chosen_yaml(const planner::Filled& filled, std::string_view command);

}  // namespace railwright::output
