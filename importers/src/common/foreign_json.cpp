// SPDX-License-Identifier: Apache-2.0
#include "foreign_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

constexpr int kMaxNesting = 64;

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() ||
         std::string_view(",]} \t\r\n").find(text[at]) != std::string_view::npos;
}

/// Python's json writes NaN and Infinity as bare words, which JSON does not have.
std::string with_quoted_words(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\' && i + 1 < text.size()) {
      result += c;
      result += text[++i];
      continue;
    }
    if (c == '"') in_string = !in_string;
    const std::string_view rest = text.substr(i);
    if (!in_string && rest.starts_with("Infinity") && ends_word(text, i + 8)) {
      result += "\"inf\"   ";
      i += 7;
    } else if (!in_string && rest.starts_with("NaN") && ends_word(text, i + 3)) {
      result += "\"nan\"";
      i += 2;
    } else {
      result += c;
    }
  }
  return result;
}

/// Refuses what JSON allows and no program means.
class Watch {
 public:
  explicit Watch(const std::string& file) : file_(file) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kMaxNesting) refuse(fmt::format("nested more than {} deep", kMaxNesting));
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second)
      refuse(fmt::format("key {} is there twice", shown(parsed.get<std::string>())));
    return true;
  }

 private:
  void refuse(std::string message) const {
    throw core::ConfigError({{{file_}, "", std::move(message), ""}});
  }

  std::string file_;
  std::vector<std::set<std::string, std::less<>>> keys_;
};

}  // namespace

Json parse_large_json(std::string_view text, const std::string& file, int first_line) {
  const std::string plain = with_quoted_words(text);
  Watch watch(file);
  try {
    return Json::parse(plain, [&](int depth, Json::parse_event_t event, Json& parsed) {
      return watch(depth, event, parsed);
    });
  } catch (const Json::parse_error& error) {
    core::Location where = core::place_in(plain, error.byte > 0 ? error.byte - 1 : 0, file);
    where.line += first_line - 1;
    throw core::ConfigError({{where, "", "no JSON from here on", ""}});
  } catch (const Json::out_of_range&) {
    throw core::ConfigError({{{file}, "", "a number is larger than any", ""}});
  }
}

const Json* json_at(const Json& root, std::string_view path) {
  const Json* node = &root;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('.'), path.size());
    const std::string_view key = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (node->is_array()) {
      const double place = core::number_of(key);
      if (!(place >= 0.0 && place < static_cast<double>(node->size()))) return nullptr;
      node = &(*node)[static_cast<std::size_t>(place)];
      continue;
    }
    if (!node->is_object()) return nullptr;
    const auto found = node->find(std::string(key));
    if (found == node->end()) return nullptr;
    node = &*found;
  }
  return node->is_null() ? nullptr : node;
}

std::optional<std::string> json_text(const Json& root, std::string_view path) {
  const Json* node = json_at(root, path);
  if (node == nullptr || !node->is_string()) return std::nullopt;
  return node->get<std::string>();
}

std::optional<double> json_number(const Json& root, std::string_view path, double least,
                                  double most, Findings& findings) {
  const Json* node = json_at(root, path);
  if (node == nullptr) return std::nullopt;
  if (node->is_number()) {
    const auto value = node->get<double>();
    if (value >= least && value <= most) return value;
  }
  findings.problem({findings.file()}, std::string(path),
                   fmt::format("expected a number from {} to {}", least, most));
  return std::nullopt;
}

}  // namespace railwright::importers
