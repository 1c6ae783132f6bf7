// SPDX-License-Identifier: Apache-2.0
// Numbers of a result as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "railwright/simulation/results/result_number.hpp"

namespace railwright::output {

/// Each at its path.
inline void put(const std::vector<simulation::Output>& outputs, nlohmann::ordered_json& json) {
  using Json = nlohmann::ordered_json;
  for (const simulation::Output& output : outputs) {
    std::visit([&](auto value) { json[Json::json_pointer(output.json_pointer())] = value; },
               output.value);
  }
}

}  // namespace railwright::output
