// SPDX-License-Identifier: Apache-2.0
// A fabric's bill as text and JSON.
#pragma once

#include <string>

#include "railwright/planner/out/table.hpp"
#include "railwright/planner/verbs/topology.hpp"

namespace railwright::planner {

std::string to_text(const TopologyResult& result, const TextStyle& style = {});
std::string to_json(const TopologyResult& result);

}  // namespace railwright::planner
