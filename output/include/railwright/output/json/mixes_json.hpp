// SPDX-License-Identifier: Apache-2.0
// Mixes of jobs side by side, as JSON.
#pragma once

#include <string>

#include "railwright/planner/compare/mixes.hpp"

namespace railwright::output {

std::string to_json(const planner::MixesSideBySide& result);

}  // namespace railwright::output
