// SPDX-License-Identifier: Apache-2.0
// Answers that hang on a number that is known only within a range, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "railwright/planner/ranges/hangs_on.hpp"

namespace railwright::output {

nlohmann::ordered_json hangs_on_json(std::span<const planner::HangsOn> answers);

}  // namespace railwright::output
