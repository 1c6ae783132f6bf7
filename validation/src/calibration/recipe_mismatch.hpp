// SPDX-License-Identifier: Apache-2.0
// An overlap in the scenario that is not what a site's runs had.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "railwright/planner/site_fit/site_problem.hpp"

namespace railwright::planner {
struct MeasuredRun;
}  // namespace railwright::planner

namespace railwright::validation {

/// Returns, in words, the overlap whose other state lets the runs agree with each other: its fit of
/// the same factors leaves less than half of the error. Empty if the runs agree within a percent,
/// are too few to tell, or no single overlap explains what they differ by. In closed form, from the
/// factors `at`.
std::string recipe_mismatch(const std::vector<planner::MeasuredRun>& runs,
                            const std::vector<std::size_t>& fitted, const planner::Factors& held,
                            const planner::Factors& at);

}  // namespace railwright::validation
