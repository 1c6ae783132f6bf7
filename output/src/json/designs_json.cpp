// SPDX-License-Identifier: Apache-2.0
#include "designs_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace railwright::output {

std::string invalid_json(const std::vector<std::string>& problems) {
  return nlohmann::ordered_json{{"feasible", false}, {"valid", false}, {"infeasible", problems}}
      .dump();
}

std::string designs_json(const std::vector<DesignJson>& designs, bool feasible,
                         const std::optional<std::size_t>& best) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const DesignJson& one : designs) {
    list.push_back({{"name", one.name}, {"result", nlohmann::ordered_json::parse(one.result)}});
  }
  nlohmann::ordered_json json = {
      {"feasible", feasible}, {"best", nullptr}, {"designs", std::move(list)}};
  if (best) json["best"] = designs[*best].name;
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
