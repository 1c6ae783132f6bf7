// SPDX-License-Identifier: Apache-2.0
// Aligned tables for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace railwright::output {

/// Style of text on a terminal.
struct TextStyle {
  bool color = false;
  std::size_t width = 0;  ///< columns of the terminal; 0 does not break lines
};

/// A table whose columns are as wide as their widest cell; the first is left-aligned, the others
/// right-aligned.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
  /// Left-aligns a column other than the first.
  void align_left(std::size_t column) { left_.push_back(column); }
  void add_row(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Returns lines that end in '\n'; the header is underlined, and bold with colour. Widths count
  /// code points. If the style has a width, cells are broken into lines to fit it. Columns that
  /// still do not fit go into a further table below, which repeats the first column.
  [[nodiscard]] std::string text(const TextStyle& style) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> left_;
};

}  // namespace railwright::output
