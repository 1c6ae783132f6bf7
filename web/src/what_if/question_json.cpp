// SPDX-License-Identifier: Apache-2.0
#include "question_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "railwright/web/what_if/what_if_question.hpp"

namespace railwright::web {

namespace {

constexpr std::size_t kLongestPage = 64;

}  // namespace

void refuse(const std::string& what) { throw QuestionError(what); }

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

void check_keys(const Json& json, std::span<const std::string_view> known, const char* what) {
  if (!json.is_object()) refuse(fmt::format("{} is not a JSON object", what));
  for (const auto& [key, unused] : json.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      refuse(fmt::format("{} has an unknown key", what));
    }
  }
}

std::string page_of(const Json& question) {
  std::string page = text(question, "page");
  if (page.empty() || page.size() > kLongestPage) {
    refuse(fmt::format("'page' has 1 to {} bytes", kLongestPage));
  }
  return page;
}

std::int64_t turn_of(const Json& question) {
  const Json& turn = value(question, "turn");
  if (!turn.is_number_unsigned() || turn > INT64_MAX) refuse("'turn' is not a whole number");
  return turn.get<std::int64_t>();
}

}  // namespace railwright::web
