// SPDX-License-Identifier: Apache-2.0
// Why a measured step differs from the predicted one, as JSON.
#pragma once

#include <string>

#include "railwright/planner/diagnose/diagnose.hpp"

namespace railwright::output {

std::string to_json(const planner::Diagnosis& made);

}  // namespace railwright::output
