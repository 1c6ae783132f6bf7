// SPDX-License-Identifier: Apache-2.0
// Puts what a person chose into a script.
#include <fmt/format.h>

#include <algorithm>

#include "findings.hpp"
#include "shell_split.hpp"
#include "shell_words.hpp"

namespace railwright::importers {

namespace {

bool is_name(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::optional<std::string> with_variables(std::string_view text, const std::string& /*file*/,
                                          const ImportChoices& choices) {
  if (choices.variables.empty() || !is_script(text)) return {};
  std::string chosen;
  for (const std::string& one : choices.variables) {
    const std::size_t equals = one.find('=');
    const bool is_named =
        equals != std::string::npos && equals > 0 && is_name(one.substr(0, equals));
    const bool is_plain = one.find_first_of("'\n\r") == std::string::npos;
    if (!is_named || !is_plain) {
      throw core::ConfigError({{{"--set-variable"},
                                "",
                                fmt::format("'{}'", shown(one)),
                                "expected NAME=VALUE, such as TP=8"}});
    }
    chosen += "readonly " + one.substr(0, equals + 1) + "'" + one.substr(equals + 1) + "'; ";
  }
  return chosen.append(text);
}

}  // namespace railwright::importers
