// SPDX-License-Identifier: Apache-2.0
// Outputs at their dotted paths of a JSON document.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "railwright/planner/verbs/outputs.hpp"

namespace railwright::planner {

inline void put(std::span<const Output> outputs, nlohmann::ordered_json& json) {
  for (const Output& output : outputs) {
    std::string pointer = "/" + output.path;
    std::ranges::replace(pointer, '.', '/');
    std::visit([&](auto value) { json[nlohmann::ordered_json::json_pointer(pointer)] = value; },
               output.value);
  }
}

}  // namespace railwright::planner
