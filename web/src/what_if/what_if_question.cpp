// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/what_if/what_if_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>

namespace railwright::web {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestPage = 64;

[[noreturn]] void refuse(const std::string& what) { throw QuestionError(what); }

const Json& value(const Json& question, const char* key) {
  const auto found = question.find(key);
  if (found == question.end()) refuse(fmt::format("the question lacks '{}'", key));
  return *found;
}

std::string text(const Json& question, const char* key) {
  const Json& node = value(question, key);
  if (!node.is_string()) refuse(fmt::format("'{}' is not text", key));
  return node.get<std::string>();
}

std::vector<std::string> texts(const Json& question, const char* key) {
  const Json& list = value(question, key);
  if (!list.is_array() || list.size() > kMaxSettings) {
    refuse(fmt::format("'{}' is not a list of at most {} settings", key, kMaxSettings));
  }
  std::vector<std::string> all;
  for (const Json& one : list) {
    if (!one.is_string() || one.get_ref<const std::string&>().size() > kLongestSetting) {
      refuse(fmt::format("a setting is text of at most {} bytes", kLongestSetting));
    }
    all.push_back(one.get<std::string>());
  }
  return all;
}

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

void check_keys(const Json& json, std::span<const std::string_view> known, const char* what) {
  if (!json.is_object()) refuse(fmt::format("{} is not a JSON object", what));
  for (const auto& [key, unused] : json.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      refuse(fmt::format("{} has an unknown key", what));
    }
  }
}

/// Reads what every question has.
template <class Question>
void read_common(const Json& json, Question& read) {
  read.page = text(json, "page");
  if (read.page.empty() || read.page.size() > kLongestPage) {
    refuse(fmt::format("'page' has 1 to {} bytes", kLongestPage));
  }
  const Json& turn = value(json, "turn");
  if (!turn.is_number_unsigned() || turn > INT64_MAX) refuse("'turn' is not a whole number");
  read.turn = turn.get<std::int64_t>();
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
