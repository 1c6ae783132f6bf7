// SPDX-License-Identifier: Apache-2.0
// The curves of a comparison as tables.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/compare/compare.hpp"

namespace railwright::output {

/// For each curve: what each value is worth at each place, and from where it pays at which price.
std::string curves_text(const planner::ComparisonResult& comparison, const TextStyle& style);

}  // namespace railwright::output
