// SPDX-License-Identifier: Apache-2.0
// Choices made for a scenario that leaves things open, as JSON.
#pragma once

#include <span>
#include <string>

#include "railwright/planner/unsaid/unsaid.hpp"

namespace railwright::output {

/// Adds keys, values and reasons to the JSON of a result, unless nothing was chosen: as `chosen`,
/// or as `chosen_for_you` where that is the index of a sized cluster.
std::string with_chosen(const std::string& result_json, std::span<const planner::Chosen> chosen);

}  // namespace railwright::output
