// SPDX-License-Identifier: Apache-2.0
// Puts what a person chose into a script or a manifest.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "findings.hpp"
#include "manifest.hpp"
#include "shell_split.hpp"
#include "shell_words.hpp"

namespace railwright::importers {

namespace {

bool is_name(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// A chosen variable.
struct Choice {
  std::string name;
  std::string value;
};

/// Throws ConfigError for a choice that is no NAME=VALUE, on one line.
Choice choice_of(const std::string& text, bool is_for_shell) {
  const std::size_t equals = text.find('=');
  const bool is_named = equals != std::string::npos && equals > 0 &&
                        (!is_for_shell || is_name(text.substr(0, equals)));
  const bool is_plain = text.find_first_of(is_for_shell ? "'\n\r" : "\n\r") == std::string::npos;
  if (!is_named || !is_plain) {
    throw core::ConfigError({{{"--set-variable"},
                              "",
                              fmt::format("'{}'", shown(text)),
                              "expected NAME=VALUE, such as TP=8"}});
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

std::optional<std::string> with_variables(std::string_view text, const std::string& /*file*/,
                                          const ImportChoices& choices) {
  if (choices.variables.empty() || !is_script(text)) return {};
  std::string chosen;
  for (const std::string& one : choices.variables) {
    const Choice choice = choice_of(one, true);
    chosen += fmt::format("readonly {}='{}'; ", choice.name, choice.value);
  }
  return chosen.append(text);
}

std::optional<std::string> with_chosen_values(std::string_view text, const ImportChoices& choices) {
  std::optional<std::string> chosen;
  for (const std::string& one : choices.variables) {
    const Choice choice = choice_of(one, false);
    auto filled = with_values(chosen ? *chosen : text, choice.name, choice.value);
    if (filled) chosen = std::move(filled);
  }
  return chosen;
}

}  // namespace railwright::importers
