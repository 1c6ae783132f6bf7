// SPDX-License-Identifier: Apache-2.0
// A choice among the rows of a table, by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace railwright::core {

/// A row of the table that `static std::span<const Kind> Kind::table()` returns, by default the
/// first. Each row has a `name`, which stands for it in YAML.
template <class Kind>
class Row {
 public:
  constexpr Row() = default;
  /// Throws std::invalid_argument if no row has that name.
  explicit Row(std::string_view name) {
    while (row_ < names().size() && names()[row_] != name) ++row_;
    if (row_ == names().size()) throw std::invalid_argument("no row " + std::string(name));
  }

  /// Names of all rows, in the order of the table.
  static std::span<const std::string_view> names() {
    static const std::vector<std::string_view> kNames = [] {
      std::vector<std::string_view> names;
      for (const Kind& kind : Kind::table()) names.push_back(kind.name);
      return names;
    }();
    return kNames;
  }
  static Row at(std::size_t row) {
    Row at;
    at.row_ = static_cast<std::uint8_t>(row);
    return at;
  }

  [[nodiscard]] std::size_t row() const { return row_; }
  const Kind* operator->() const { return &Kind::table()[row_]; }
  friend bool operator==(const Row&, const Row&) = default;

 private:
  std::uint8_t row_ = 0;
};

}  // namespace railwright::core
