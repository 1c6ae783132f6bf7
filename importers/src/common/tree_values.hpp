// SPDX-License-Identifier: Apache-2.0
// Typed access to a tree whose keys are another program's.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "findings.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// Reads a JSON object or a YAML mapping with the strict reader, which keeps the place of each
/// value. Allows tabs between JSON's tokens, and in YAML merge keys ("<<"). Throws ConfigError.
core::Node parse_json(std::string_view text, const std::string& file);
core::Node parse_foreign_yaml(std::string_view text, const std::string& file);

/// Finds a node by a path with dots; null where it is absent or null.
const core::Node* find_given(const core::Node& root, std::string_view path);

class TreeValues {
 public:
  /// `root` and `findings` must outlive this.
  TreeValues(const core::Node& root, Findings& findings) : root_(root), findings_(findings) {}

  /// Null where absent or null. Marks all but mappings as asked for.
  const core::Node* find(std::string_view path);
  [[nodiscard]] bool has(std::string_view path) { return find(path) != nullptr; }
  /// Nothing where absent, null or "auto". Reports a problem for a value of another type.
  std::optional<double> number(std::string_view path, double least = -1e300, double most = 1e300);
  std::optional<std::int64_t> whole(std::string_view path, std::int64_t least = 0,
                                    std::int64_t most = std::int64_t{1} << 50U);
  std::optional<bool> truth(std::string_view path);
  std::optional<std::string> text(std::string_view path);
  [[nodiscard]] bool is_auto(std::string_view path);

  /// Keys that stand in the file, with values that come from outside it.
  void set_outside(std::set<std::string, std::less<>> names) { outside_ = std::move(names); }
  [[nodiscard]] bool is_outside(std::string_view name) const { return outside_.contains(name); }
  /// Lists those of them that were asked for.
  [[nodiscard]] std::vector<std::string> asked_outside() const;

  /// Marks keys, and those below them, as irrelevant for time and memory.
  void ignore(std::span<const std::string_view> paths);
  void ignore(std::initializer_list<std::string_view> paths) {
    ignore(std::span(paths.begin(), paths.size()));
  }
  /// Lists paths of scalars and lists that were neither asked for nor ignored.
  [[nodiscard]] std::vector<std::string> unasked() const;

 private:
  void wrong(const core::Node& node, std::string_view path, std::string_view expected);

  const core::Node& root_;
  Findings& findings_;
  std::set<std::string, std::less<>> asked_;
  std::set<std::string, std::less<>> outside_;
};

}  // namespace railwright::importers
