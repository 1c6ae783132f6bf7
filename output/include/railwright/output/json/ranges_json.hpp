// SPDX-License-Identifier: Apache-2.0
// Adds to a result's JSON the numbers that its answers hang on.
#pragma once

#include <span>
#include <string>

#include "railwright/planner/ranges/hangs_on.hpp"

namespace railwright::output {

/// Adds `hangs_on`, a list of answers, to the JSON of a result; changes nothing for none.
std::string with_hangs_on(std::string json, std::span<const planner::HangsOn> answers);

}  // namespace railwright::output
