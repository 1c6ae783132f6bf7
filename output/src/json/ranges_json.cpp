// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/json/ranges_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "../words/ranges_text.hpp"
#include "hangs_on_json.hpp"

namespace railwright::output {

using Json = nlohmann::ordered_json;

Json hangs_on_json(std::span<const planner::HangsOn> answers) {
  const auto number = [](double value) { return std::isinf(value) ? Json() : Json(value); };
  Json list = Json::array();
  for (const planner::HangsOn& one : answers) {
    list.push_back({{"answer", core::to_string(one.answer)},
                    {"at_low", number(one.at_low)},
                    {"at_value", number(one.at_value)},
                    {"at_high", number(one.at_high)},
                    {"number", one.number.path},
                    {"entry", one.number.entry},
                    {"low", one.number.low.text},
                    {"value", one.number.value.text},
                    {"high", one.number.high.text},
                    {"source", one.number.source}});
    const std::string command = measured_by(one);
    if (!command.empty()) list.back()["measure_by"] = command;
  }
  return list;
}

std::string with_hangs_on(std::string json, std::span<const planner::HangsOn> answers) {
  if (answers.empty()) return json;
  Json result = Json::parse(json);
  result["hangs_on"] = hangs_on_json(answers);
  return result.dump(2) + "\n";
}

}  // namespace railwright::output
