// SPDX-License-Identifier: Apache-2.0
// Choices made for a scenario that leaves things open, as text.
#pragma once

#include <span>
#include <string>

#include "railwright/planner/unsaid/unsaid.hpp"

namespace railwright::output {

/// Lists keys, values and reasons under a headline; empty where nothing was chosen.
std::string chosen_text(std::span<const planner::Chosen> chosen);

}  // namespace railwright::output
