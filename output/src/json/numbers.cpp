// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <string_view>

#include "number_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/step/breakdown.hpp"
#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

Json records(const std::vector<simulation::ScopedNumber>& numbers) {
  Json list = Json::array();
  for (const simulation::ScopedNumber& one : numbers) {
    const simulation::ResultNumber& number = one.number;
    const std::string_view word = number.word.empty() ? number.beside.text : number.word;
    list.push_back({{"path", number.path},
                    {"word", text_or_null(word)},
                    {"format", name_of(number.format)},
                    {"unit", text_or_null(unit_of(number.format))},
                    {"color", text_or_null(number.color)},
                    {"column", text_or_null(number.column)}});
  }
  return list;
}

}  // namespace

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
  return Json({{"numbers", records(simulation::result_numbers())},
               {"service_numbers", records(simulation::serving_numbers())},
               {"queue_numbers", records(simulation::queue_numbers())},
               {"jobs_numbers", records(simulation::jobs_numbers())},
               {"post_training_numbers", records(simulation::post_training_numbers())},
               {"causes", std::move(causes)}})
      .dump();
}

}  // namespace railwright::output
