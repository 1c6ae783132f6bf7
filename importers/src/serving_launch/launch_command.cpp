// SPDX-License-Identifier: Apache-2.0
#include "launch_command.hpp"

#include <algorithm>
#include <array>

namespace railwright::importers {

namespace {

constexpr auto kKeptWords = std::to_array<std::string_view>(
    {"export", "declare", "local", "readonly", "if",   "elif",  "else",
     "then",   "fi",      "case",  "esac",     "for",  "while", "until",
     "select", "do",      "done",  "set",      "exec", "env",   "function"});

std::string_view first_word(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  return line.substr(0, line.find_first_of(" \t\n\r\\"));
}

bool is_assignment(std::string_view word) {
  const std::size_t name =
      word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
  return name != std::string_view::npos && name > 0 &&
         (word[name] == '=' || word[name] == '[' || word.substr(name).starts_with("+="));
}

/// Whether a command begins here, and not an assignment, a condition or a list of options.
bool is_command(std::string_view word) {
  if (word.empty() || is_assignment(word)) return false;
  const char first = word.front();
  const bool is_name = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                       first == '_' || first == '/' || first == '.';
  return is_name && std::ranges::count(kKeptWords, word) == 0;
}

/// Returns the place behind a command of `size` characters whose quotes go over more lines; `size`
/// where one never ends.
std::size_t behind_quotes(std::string_view script, std::size_t size) {
  char quote = '\0';
  for (std::size_t at = 0; at < script.size(); ++at) {
    const char c = script[at];
    const bool begins_word = at > 0 && (script[at - 1] == ' ' || script[at - 1] == '\t');
    if (c == '\\' && quote != '\'') {
      ++at;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && begins_word) {
      at = std::min(script.find('\n', at), script.size()) - 1;
    } else if (c == '\n' && at + 1 >= size) {
      return at + 1;
    }
  }
  return quote == '\0' ? script.size() : size;
}

}  // namespace

std::string without_other_commands(std::string_view script,
                                   const std::function<bool(std::string_view)>& starts) {
  std::string kept;
  kept.reserve(script.size());
  while (!script.empty()) {
    std::size_t end = script.find('\n');
    while (end != std::string_view::npos && end > 0 && script[end - 1] == '\\') {
      end = script.find('\n', end + 1);
    }
    std::string_view command =
        script.substr(0, end == std::string_view::npos ? script.size() : end + 1);
    const bool has_options = command.find(" -") != std::string_view::npos;
    const bool is_other = has_options && !starts(command) && is_command(first_word(command));
    if (is_other) {
      const std::string_view whole = script.substr(0, behind_quotes(script, command.size()));
      if (!starts(whole)) command = whole;
    }
    script.remove_prefix(command.size());
    if (!is_other) {
      kept += command;
    } else {
      kept.append(static_cast<std::size_t>(std::ranges::count(command, '\n')), '\n');
    }
  }
  return kept;
}

}  // namespace railwright::importers
