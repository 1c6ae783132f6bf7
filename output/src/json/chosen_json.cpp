// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/json/chosen_json.hpp"

#include <nlohmann/json.hpp>

namespace railwright::output {

std::string with_chosen(const std::string& result_json, std::span<const planner::Chosen> chosen) {
  if (chosen.empty()) return result_json;
  auto json = nlohmann::ordered_json::parse(result_json);
  // The index of the cluster that `size` recommends has the name, too.
  auto& list = json[json.contains("chosen") ? "chosen_for_you" : "chosen"];
  list = nlohmann::ordered_json::array();
  for (const planner::Chosen& one : chosen) {
    list.push_back({{"key", one.key}, {"value", one.value}, {"why", one.why}});
  }
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
