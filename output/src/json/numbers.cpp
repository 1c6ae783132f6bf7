// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <string_view>

#include "number_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/simulation/step/breakdown.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

Json records(const simulation::Numbers<simulation::ResultView>& numbers) {
  Json list = Json::array();
  for (const auto& number : numbers) {
    list.push_back({{"path", number.path},
                    {"word", text_or_null(number.label())},
                    {"format", name_of(number.format)},
                    {"unit", text_or_null(unit_of(number.format))},
                    {"color", text_or_null(number.color)},
                    {"column", text_or_null(number.column)}});
  }
  return list;
}

}  // namespace

Json part_counts_json(const core::PartsList& parts) {
  Json list = Json::array();
  for (const core::Part& part : parts.parts) {
    list.push_back({{"kind", part.kind}, {"name", part.name}, {"count", part.count}});
  }
  return list;
}

void put(const std::vector<simulation::Output>& outputs, Json& json) {
  for (const simulation::Output& output : outputs) {
    std::visit([&](auto value) { json[Json::json_pointer(output.json_pointer())] = value; },
               output.value);
  }
}

std::string numbers_json() {
  Json causes = Json::array();
  for (const simulation::CauseFacts& cause : simulation::kCauses) {
    causes.push_back({{"name", cause.name},
                      {"words", cause.words},
                      {"color", cause.color},
                      {"dark_color", cause.dark_color}});
  }
  Json of_kind = Json::object();
  for (const simulation::ScenarioKind& kind : simulation::scenario_kinds()) {
    if (is_training(kind)) continue;
    of_kind[std::string(kind.facts.key)] = records(kind.numbers());
  }
  return Json({{"numbers", records(simulation::scenario_kinds().front().numbers())},
               {"of_kind", std::move(of_kind)},
               {"causes", std::move(causes)}})
      .dump();
}

}  // namespace railwright::output
