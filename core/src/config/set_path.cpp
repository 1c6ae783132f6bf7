// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "config/wording.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kMaxSegments = 64;

void replace_location(Node& node, const Location& where) {
  node.where = where;
  for (Node& item : node.items) replace_location(item, where);
  for (Entry& entry : node.entries) {
    entry.where = where;
    replace_location(entry.value, where);
  }
}

class Setting {
 public:
  explicit Setting(std::string_view text) : where_{fmt::format("--set {}", printable(text))} {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      refuse("expected path=value");
    }
    path_ = text.substr(0, equals);
    value_ = parse_value(text.substr(equals + 1));
  }

  void apply(Node& root) {
    std::vector<std::string_view> segments;
    for (std::size_t at = 0; at <= path_.size();) {
      const std::size_t end = std::min(path_.find('.', at), path_.size());
      segments.emplace_back(std::string_view(path_).substr(at, end - at));
      if (segments.back().empty()) refuse("a key is missing before or after a dot");
      at = end + 1;
    }
    if (segments.size() > kMaxSegments) {
      refuse(fmt::format("more than {} keys in the path", kMaxSegments));
    }
    Node* node = &root;
    for (const std::string_view segment : segments) node = &child(*node, segment);
    *node = std::move(value_);
  }

 private:
  /// Shortens to one line: it appears where other messages have the file.
  static std::string printable(std::string_view text) {
    std::string shown = in_quotes(text);
    return shown.substr(1, shown.size() - 2);
  }

  [[noreturn]] void refuse(std::string message) const {
    throw ConfigError({{where_, path_, std::move(message), ""}});
  }

  Node parse_value(std::string_view text) const {
    if (text.find_first_not_of(' ') == std::string_view::npos) {
      refuse("a value is missing after '='");
    }
    Node value;
    try {
      value = parse_yaml(text, "--set");
    } catch (const ConfigError& error) {
      std::vector<Diagnostic> problems = error.diagnostics();
      for (Diagnostic& problem : problems) {
        problem.where = where_;
        problem.path = path_;
      }
      throw ConfigError(std::move(problems));
    }
    const bool collection = value.is_mapping() || value.kind == Node::Kind::kSequence;
    const std::size_t first = text.find_first_not_of(' ');
    if (collection && text[first] != '{' && text[first] != '[') {
      refuse(
          fmt::format("expected one value, [a, list] or {{a: mapping}}, got {}", in_quotes(text)));
    }
    replace_location(value, where_);
    return value;
  }

  Node& child(Node& node, std::string_view key) const {
    if (node.kind == Node::Kind::kSequence) return item(node, key);
    if (node.is_scalar()) {
      node = named_model(std::move(node));
      node.where = where_;
    }
    if (!node.is_mapping()) {
      node.kind = Node::Kind::kMapping;
      node.where = where_;
    }
    for (Entry& known : node.entries) {
      if (known.key != key) continue;
      known.before_model = 0;
      return known.value;
    }
    Entry entry{std::string(key), where_, {}};
    entry.value.where = where_;
    node.entries.push_back(std::move(entry));
    return node.entries.back().value;
  }

  Node& item(Node& node, std::string_view key) const {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc{} || end != key.data() + key.size()) {
      refuse(fmt::format("expected the number of a list item, got {}", in_quotes(key)));
    }
    if (index >= node.items.size()) {
      refuse(fmt::format("the list has {} items, counted from 0; there is no item {}",
                         node.items.size(), index));
    }
    return node.items[index];
  }

  Location where_;
  std::string path_;
  Node value_;
};

}  // namespace

void set_path(Node& root, std::string_view setting) { Setting(setting).apply(root); }

}  // namespace railwright::core
