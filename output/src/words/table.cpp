// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/words/table.hpp"

#include <algorithm>

namespace railwright::output {

namespace {

/// UTF-8 code points.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string Table::text(const TextStyle& style) const {
  std::vector<std::size_t> widths(header_.size());
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width(row[i]));
    }
  };
  widen(header_);
  for (const auto& row : rows_) widen(row);

  const auto line = [&](const std::vector<std::string>& row) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      const bool left = i == 0 || std::ranges::find(left_, i) != left_.end();
      if (i > 0) out += "  ";
      out += left ? row[i] + padding : padding + row[i];
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  };
  std::size_t total = 0;
  for (const std::size_t w : widths) total += w + 2;
  std::string out = style.color ? "\033[1m" + line(header_) + "\033[0m\n" : line(header_) + "\n";
  // A last column of long sentences needs no line as long.
  out += std::string(std::min<std::size_t>(total - 2, 100), '-') + "\n";
  for (const auto& row : rows_) out += line(row) + "\n";
  return out;
}

}  // namespace railwright::output
