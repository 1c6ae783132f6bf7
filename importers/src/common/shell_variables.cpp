// SPDX-License-Identifier: Apache-2.0
#include "shell_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "findings.hpp"
#include "shell_arithmetic.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxVariables = 5000;
constexpr int kMaxDepth = 8;             ///< defaults within defaults
constexpr std::size_t kMaxValue = 4096;  ///< characters of a value after expanding its variables

/// The name under which an argument of a function that is not known goes on.
std::string open_argument(const std::string& place) { return "argument_" + place; }

}  // namespace

/// A variable in a text: where it ends, and what `:-` and the like say.
struct ShellVariables::Mention {
  std::string name;
  std::size_t behind = 0;
  std::string_view modifier;
};

bool is_shell_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_shell_argument(std::string_view text) {
  if (!text.starts_with('$')) return false;
  text.remove_prefix(text.starts_with("${") ? 2 : 1);
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

bool ShellVariables::is_full() const { return texts_.size() >= kMaxVariables; }

ShellValue ShellVariables::value_of(const std::string& name) const {
  ShellValue value;
  const auto known = texts_.find(name);
  if (known == texts_.end()) return value;
  if (const auto reason = reasons_.find(name); reason != reasons_.end()) {
    value.reason = reason->second;
  } else {
    value.text = known->second;
  }
  return value;
}

std::string ShellVariables::text_of(const std::string& name) const {
  const auto known = texts_.find(name);
  return known == texts_.end() ? std::string() : known->second;
}

bool ShellVariables::is_unset(std::string_view name) const {
  if (reasons_.contains(std::string(name))) return false;
  const auto known = texts_.find(std::string(name));
  return known == texts_.end() || is_shell_argument(known->second);
}

void ShellVariables::preset(const std::string& name, const std::string& value) {
  texts_[name] = value;
  presets_.insert(name);
}

std::map<std::string, std::string> ShellVariables::of_file() const {
  std::map<std::string, std::string> texts = texts_;
  std::erase_if(texts, [&](const auto& one) { return presets_.contains(one.first); });
  return texts;
}

void ShellVariables::set(const std::string& name, const ShellValue& value) {
  reasons_.erase(name);
  presets_.erase(name);
  if (!value.reason.empty()) {
    reasons_[name] = value.reason;
    texts_[name] = "${" + name + "}";
  } else if (value.text) {
    texts_[name] = *value.text;
  } else {
    texts_.erase(name);
  }
}

void ShellVariables::set_arguments(const std::vector<ShellValue>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string place = std::to_string(i + 1);
    touched_(place);
    set(place, values[i]);
    if (!values[i].reason.empty()) reasons_[open_argument(place)] = values[i].reason;
  }
}

/// Appends the value of `$((N * 8))` or `$(expr N / 8)` at this place. Returns the place after
/// it; `at` where there is none that can be evaluated.
std::size_t ShellVariables::add_arithmetic(std::string_view text, std::size_t at,
                                           std::string& result) const {
  const bool is_expr = text.substr(at).starts_with("$(expr ");
  if (!is_expr && !text.substr(at).starts_with("$((")) return at;
  const std::size_t start = at + (is_expr ? 7 : 3);
  std::size_t end = start;
  for (int depth = 1; end < text.size(); ++end) {
    depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  const std::size_t behind = end + (is_expr ? 1 : 2);
  if (behind > text.size() || (!is_expr && text[end + 1] != ')')) return at;
  const auto value = shell_arithmetic(text.substr(start, end - start),
                                      [&](const std::string& name) -> std::optional<std::string> {
                                        const auto known = texts_.find(name);
                                        if (known == texts_.end()) return {};
                                        return known->second;
                                      });
  if (!value) return at;
  result += std::to_string(*value);
  return behind;
}

ShellVariables::Mention ShellVariables::mention_at(std::string_view text, std::size_t at) {
  const bool braces = text[at + 1] == '{';
  const std::size_t start = at + (braces ? 2 : 1);
  std::size_t end = start;
  while (end < text.size() && is_shell_name_char(text[end])) ++end;
  Mention found{std::string(text.substr(start, end - start)), end, {}};
  if (!braces) return found;
  std::size_t close = end;
  for (int depth = 1; close < text.size(); ++close) {
    depth += text[close] == '{' ? 1 : text[close] == '}' ? -1 : 0;
    if (depth == 0) break;
  }
  if (close == text.size()) return {"", text.size(), {}};
  found.behind = close + 1;
  found.modifier = text.substr(end, close - end);
  return found;
}

/// Returns what a variable stands for; nothing where that is not known.
std::optional<std::string> ShellVariables::expanded(const Mention& mention, int depth) {
  const auto known = texts_.find(mention.name);
  const bool is_known = known != texts_.end() && known->second.find('$') == std::string::npos;
  std::string_view modifier = mention.modifier;
  if (modifier.starts_with(':')) modifier.remove_prefix(1);
  const char sign = modifier.empty() ? '\0' : modifier[0];
  if (mention.modifier.empty() || (is_known && (sign == '-' || sign == '=' || sign == '?'))) {
    return is_known ? std::optional(known->second) : std::nullopt;
  }
  if (sign == '+' && is_known) return resolved(modifier.substr(1), depth + 1);
  if ((sign != '-' && sign != '=') || is_known) return {};
  std::string fallback = resolved(modifier.substr(1), depth + 1);
  if (fallback.empty() || fallback.find('$') != std::string::npos || !is_unset(mention.name)) {
    return {};
  }
  defaults_.push_back(fmt::format("{} {}", shown(mention.name), shown(fallback)));
  if (sign == '=' && !is_full()) {
    touched_(mention.name);
    set(mention.name, {.text = fallback});
  }
  return fallback;
}

std::string ShellVariables::resolved(std::string_view text, int depth) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (result.size() > kMaxValue) return std::string(text.substr(0, kMaxValue));
    if (text[at] != '$' || at + 1 == text.size() || depth > kMaxDepth) {
      result += text[at++];
      continue;
    }
    if (const std::size_t end = add_arithmetic(text, at, result); end > at) {
      at = end;
      continue;
    }
    const Mention mention = mention_at(text, at);
    const auto value = mention.name.empty() ? std::nullopt : expanded(mention, depth);
    if (value) {
      result += *value;
    } else if (is_shell_argument(text.substr(at)) && reasons_.contains(mention.name)) {
      result += "${" + open_argument(mention.name) + "}";  // it holds after the function too
    } else {
      result += text.substr(at, mention.behind - at);
    }
    at = std::max(mention.behind, at + 1);
  }
  return result;
}

std::string ShellVariables::why_unknown(std::string_view text) const {
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    if (at + 1 == text.size()) break;
    const std::string name = mention_at(text, at).name;
    const auto reason = reasons_.find(name);
    if (reason != reasons_.end()) return fmt::format("{} is {}", shown(name), reason->second);
  }
  return "";
}

}  // namespace railwright::importers
