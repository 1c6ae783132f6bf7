// SPDX-License-Identifier: Apache-2.0
// Mixes of jobs side by side, in words.
#pragma once

#include <string>

#include "railwright/output/json/mixes_json.hpp"
#include "railwright/output/words/table.hpp"
#include "railwright/planner/compare/mixes.hpp"

namespace railwright::output {

/// States the mix with the shortest wait or longest job, and that of the first.
std::string verdict(const planner::MixesSideBySide& result, const TextStyle& style = {});
std::string to_text(const planner::MixesSideBySide& result, const TextStyle& style = {});

}  // namespace railwright::output
