// SPDX-License-Identifier: Apache-2.0
// Why a measured step differs from the predicted one, as text.
#pragma once

#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/diagnose/diagnose.hpp"

namespace railwright::output {

/// Returns the answer, the reasons with their plausibility, and what to look at next.
std::string to_text(const planner::Diagnosis& made, const TextStyle& style = {});

}  // namespace railwright::output
