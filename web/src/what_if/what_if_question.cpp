// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/what_if/what_if_question.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "question_json.hpp"

namespace railwright::web {

namespace {

simulation::Method method(const std::string& name) {
  if (name == "estimate") return simulation::Method::kEstimate;
  if (name == "simulate") return simulation::Method::kSimulate;
  refuse("'method' is estimate or simulate");
}

planner::DivisionChoice division(const std::string& name) {
  for (const auto& [known, choice] : core::kWordsOf<planner::DivisionChoice>) {
    if (name == known) return choice;
  }
  refuse("'division' is own, where_needed or automatic");
}

WhatIfVariant variant(const Json& json) {
  return {.settings = texts(json, "set"),
          .division = division(text(json, "division")),
          .kept = texts(json, "keep")};
}

/// Reads what every question has.
template <class Question>
void read_common(const Json& json, Question& read) {
  read.page = page_of(json);
  read.turn = turn_of(json);
  read.scenario = core::parse_yaml(text(json, "scenario"), "the scenario");
}

}  // namespace

WhatIfQuestion read_what_if(std::string_view json) {
  static constexpr auto kKeys = std::to_array<std::string_view>(
      {"page", "turn", "scenario", "set", "method", "division", "keep"});
  const Json question = Json::parse(json, nullptr, false);
  check_keys(question, kKeys, "the question");
  WhatIfQuestion read;
  read.variant = variant(question);
  read.method = method(text(question, "method"));
  read_common(question, read);
  return read;
}

VariantsQuestion read_variants(std::string_view json) {
  static constexpr auto kKeys =
      std::to_array<std::string_view>({"page", "turn", "scenario", "variants"});
  static constexpr auto kVariantKeys = std::to_array<std::string_view>({"set", "division", "keep"});
  const Json question = Json::parse(json, nullptr, false);
  check_keys(question, kKeys, "the question");
  const Json& list = value(question, "variants");
  if (!list.is_array() || list.size() > kMaxVariants) {
    refuse(fmt::format("'variants' is not a list of at most {}", kMaxVariants));
  }
  VariantsQuestion read;
  for (const Json& one : list) {
    check_keys(one, kVariantKeys, "a variant");
    read.variants.push_back(variant(one));
  }
  read_common(question, read);
  return read;
}

}  // namespace railwright::web
