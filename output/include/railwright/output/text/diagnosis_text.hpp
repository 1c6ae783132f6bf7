// SPDX-License-Identifier: Apache-2.0
// Why a measured step differs from the predicted one, as text.
#pragma once

#include <span>
#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/diagnose/diagnose.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"

namespace railwright::output {

/// Returns the answer, the reasons with their plausibility, and what to look at next. `chosen` is
/// what the question left open: a prediction for another division than that of the run explains
/// nothing.
std::string to_text(const planner::Diagnosis& made, std::span<const planner::Chosen> chosen = {},
                    const TextStyle& style = {});

}  // namespace railwright::output
