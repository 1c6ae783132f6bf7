// SPDX-License-Identifier: Apache-2.0
#include "tree_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

/// Replaces tabs outside of strings by blanks: JSON allows them where YAML does not.
std::string without_tabs(std::string_view text) {
  std::string result(text);
  bool in_string = false;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (in_string && result[i] == '\\') {
      ++i;
    } else if (result[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && result[i] == '\t') {
      result[i] = ' ';
    }
  }
  return result;
}

/// Reads digits as Python does: "76_800" is 76800.
double python_number(const core::Node& node) {
  if (!node.is_scalar()) return std::nan("");
  std::string text = node.text;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at)) {
    if (at == 0 || at + 1 == text.size() || !is_digit(text[at - 1]) || !is_digit(text[at + 1]))
      break;
    text.erase(at, 1);
  }
  return core::number_of(text);
}

/// The strict reader refuses "<<", which stands here for entries of another mapping.
constexpr std::string_view kMergeKey = "<<:";
constexpr std::string_view kMarkedMerge = "<+:";

std::string with_marked_merges(std::string_view text) {
  std::string result(text);
  std::size_t newline = 0;
  std::size_t first = result.find_first_not_of(" -");  // of the line
  for (std::size_t at = result.find(kMergeKey); at != std::string::npos;
       at = result.find(kMergeKey, at + 1)) {
    for (newline = result.find('\n', newline); newline < at;
         newline = result.find('\n', newline + 1)) {
      first = result.find_first_not_of(" -", newline + 1);
    }
    if (first == at) result.replace(at, kMergeKey.size(), kMarkedMerge);
  }
  return result;
}

/// Takes the entries of merged mappings that a mapping does not have itself.
void merge(core::Node& node) {
  for (core::Node& item : node.items) merge(item);
  std::vector<core::Node> merged;
  for (core::Entry& entry : node.entries) {
    merge(entry.value);
    if (entry.key != "<+") continue;
    if (entry.value.is_mapping()) merged.push_back(std::move(entry.value));
    std::ranges::move(entry.value.items, std::back_inserter(merged));
  }
  std::erase_if(node.entries, [](const core::Entry& entry) { return entry.key == "<+"; });
  for (const core::Node& from : merged) {
    for (const core::Entry& entry : from.entries) {
      if (node.find(entry.key) == nullptr) node.entries.push_back(entry);
    }
  }
}

void add_unasked(const core::Node& node, const std::string& path,
                 const std::set<std::string, std::less<>>& asked, std::vector<std::string>& out) {
  if (!path.empty() && asked.contains(path)) return;
  if (!node.is_mapping()) {
    if (!path.empty() && node.kind != core::Node::Kind::kNull) out.push_back(path);
    return;
  }
  for (const core::Entry& entry : node.entries) {
    add_unasked(entry.value, path.empty() ? entry.key : path + "." + entry.key, asked, out);
  }
}

}  // namespace

core::Node parse_json(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') {
    throw core::ConfigError({{{file}, "", "no JSON: expected '{' at its beginning", ""}});
  }
  return core::parse_yaml(without_tabs(text), file);
}

core::Node parse_foreign_yaml(std::string_view text, const std::string& file) {
  core::Node node = core::parse_yaml(with_marked_merges(text), file);
  merge(node);
  if (!node.is_mapping()) {
    throw core::ConfigError({{{file}, "", "expected keys with values", ""}});
  }
  return node;
}

const core::Node* find_given(const core::Node& root, std::string_view path) {
  const core::Node* node = core::find_path(root, path);
  return node == nullptr || node->kind == core::Node::Kind::kNull ? nullptr : node;
}

const core::Node* TreeValues::find(std::string_view path) {
  const core::Node* node = find_given(root_, path);
  if (node == nullptr || !node->is_mapping()) asked_.emplace(path);
  return node;
}

bool TreeValues::is_auto(std::string_view path) {
  const core::Node* node = find(path);
  return node != nullptr && node->is_scalar() && node->text == "auto";
}

void TreeValues::wrong(const core::Node& node, std::string_view path, std::string_view expected) {
  findings_.problem(node.where, std::string(path),
                    node.is_scalar()
                        ? fmt::format("expected {}, got '{}'", expected, shown(node.text))
                        : fmt::format("expected {}", expected));
}

std::optional<double> TreeValues::number(std::string_view path, double least, double most) {
  const core::Node* node = find(path);
  if (node == nullptr || is_auto(path)) return {};
  const double value = python_number(*node);
  if (!(value >= least && value <= most)) {
    wrong(*node, path, fmt::format("a number from {} to {}", least, most));
    return {};
  }
  return value;
}

std::optional<std::int64_t> TreeValues::whole(std::string_view path, std::int64_t least,
                                              std::int64_t most) {
  const core::Node* node = find(path);
  if (node == nullptr || is_auto(path)) return {};
  const double value = python_number(*node);
  if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) ||
      value != std::floor(value)) {
    wrong(*node, path, fmt::format("a whole number from {} to {}", least, most));
    return {};
  }
  return static_cast<std::int64_t>(value);
}

std::optional<bool> TreeValues::truth(std::string_view path) {
  const core::Node* node = find(path);
  if (node == nullptr || is_auto(path)) return {};
  if (node->is_scalar() && (node->text == "true" || node->text == "True" || node->text == "1")) {
    return true;
  }
  if (node->is_scalar() && (node->text == "false" || node->text == "False" || node->text == "0")) {
    return false;
  }
  wrong(*node, path, "true or false");
  return {};
}

std::optional<std::string> TreeValues::text(std::string_view path) {
  const core::Node* node = find(path);
  if (node == nullptr || is_auto(path)) return {};
  if (node->is_scalar()) return node->text;
  wrong(*node, path, "a word");
  return {};
}

void TreeValues::ignore(std::span<const std::string_view> paths) {
  for (const std::string_view path : paths) asked_.emplace(path);
}

std::vector<std::string> TreeValues::asked_outside() const {
  std::vector<std::string> names;
  std::ranges::set_intersection(outside_, asked_, std::back_inserter(names));
  return names;
}

std::vector<std::string> TreeValues::unasked() const {
  std::vector<std::string> paths;
  add_unasked(root_, "", asked_, paths);
  return paths;
}

}  // namespace railwright::importers
