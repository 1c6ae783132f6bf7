// SPDX-License-Identifier: Apache-2.0
// A service or a queue with the nodes that `size` found.
#include <nlohmann/json.hpp>
#include <variant>

#include "../json/hangs_on_json.hpp"
#include "../words/phrases.hpp"
#include "../words/ranges_text.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string verdict(const planner::SizedScenario& result, const TextStyle& style) {
  return verdict(result.result, {}, style) + hangs_on_text(result.hangs_on) +
         sized_text(result.settings, result.smaller);
}

std::string to_text(const planner::SizedScenario& result, const TextStyle& style) {
  return std::visit([&](const auto& one) { return to_text(one, style); }, result.result);
}

std::string to_json(const planner::SizedScenario& result) {
  Json json = Json::parse(std::visit([](const auto& one) { return to_json(one); }, result.result));
  json["settings"] = result.settings;
  json["smaller"] = result.smaller;
  json["hangs_on"] = hangs_on_json(result.hangs_on);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
