// SPDX-License-Identifier: Apache-2.0
// The curves of a comparison as tables.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/compare/compare.hpp"

namespace railwright::output {

/// Formats for each curve the worth of each value at each place, and from which place on it pays at
/// a given price.
std::string curves_text(const planner::ComparisonResult& comparison, const TextStyle& style);

}  // namespace railwright::output
