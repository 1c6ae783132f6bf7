// SPDX-License-Identifier: Apache-2.0
#include "phrases.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace railwright::output {

std::string short_key(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  const std::string parent = key.substr(0, dot == std::string::npos ? 0 : dot);
  const std::string last = dot == std::string::npos ? key : key.substr(dot + 1);
  const std::size_t parent_dot = parent.rfind('.');
  return last == "count" && !parent.empty()
             ? parent.substr(parent_dot == std::string::npos ? 0 : parent_dot + 1)
             : last;
}

std::string words(std::string_view key) {
  std::string text(key);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string fact(std::string_view label, const std::string& text) {
  return fmt::format("{:<16}{}\n", label, text);
}

std::string settings_text(const std::vector<std::string>& settings) {
  std::string text;
  for (const std::string& setting : settings) text += " --set " + setting;
  return text;
}

std::string sized_text(const std::vector<std::string>& settings, const std::string& smaller) {
  std::string text;
  if (!settings.empty()) text += fact("sized by", settings_text(settings).substr(1));
  if (!smaller.empty()) text += fact("smaller", smaller);
  return text;
}

}  // namespace railwright::output
