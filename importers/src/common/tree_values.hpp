// SPDX-License-Identifier: Apache-2.0
// Typed values out of a tree whose keys are another program's.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "findings.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::importers {

/// A JSON object or a YAML mapping by the strict reader, with the place of each value; tabs between
/// JSON's tokens allowed. Throws ConfigError.
core::Node parse_json(std::string_view text, const std::string& file);
core::Node parse_foreign_yaml(std::string_view text, const std::string& file);

/// A node down a path with dots; null where absent or null.
const core::Node* find_path(const core::Node& root, std::string_view path);

class TreeValues {
 public:
  /// Both must outlive this.
  TreeValues(const core::Node& root, Findings& findings) : root_(root), findings_(findings) {}

  /// Null where absent or null; what is no mapping counts as asked for.
  const core::Node* find(std::string_view path);
  [[nodiscard]] bool has(std::string_view path) { return find(path) != nullptr; }
  /// Nothing where absent, null or "auto"; a problem where it is no such value.
  std::optional<double> number(std::string_view path, double least = -1e300, double most = 1e300);
  std::optional<std::int64_t> whole(std::string_view path, std::int64_t least = 0,
                                    std::int64_t most = std::int64_t{1} << 50U);
  std::optional<bool> truth(std::string_view path);
  std::optional<std::string> text(std::string_view path);
  [[nodiscard]] bool is_auto(std::string_view path);

  /// Says that these keys, and those below them, have nothing to do with time or memory.
  void ignore(std::span<const std::string_view> paths);
  void ignore(std::initializer_list<std::string_view> paths) {
    ignore(std::span(paths.begin(), paths.size()));
  }
  /// Paths of scalars and lists that nobody asked for.
  [[nodiscard]] std::vector<std::string> unasked() const;

 private:
  void wrong(const core::Node& node, std::string_view path, std::string_view expected);

  const core::Node& root_;
  Findings& findings_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace railwright::importers
