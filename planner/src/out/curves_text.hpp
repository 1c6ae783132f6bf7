// SPDX-License-Identifier: Apache-2.0
// The curves of a comparison as tables.
#pragma once

#include <string>

#include "railwright/planner/out/table.hpp"
#include "railwright/planner/verbs/compare.hpp"

namespace railwright::planner {

/// For each curve: what each value is worth at each place, and from where it pays at which price.
std::string curves_text(const ComparisonResult& comparison, const TextStyle& style);

}  // namespace railwright::planner
