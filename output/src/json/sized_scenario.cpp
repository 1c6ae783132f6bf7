// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <variant>

#include "hangs_on_json.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string to_json(const planner::SizedScenario& result) {
  Json json = Json::parse(std::visit([](const auto& one) { return to_json(one); }, result.result));
  json["settings"] = result.settings;
  json["smaller"] = result.smaller;
  json["hangs_on"] = hangs_on_json(result.hangs_on);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
