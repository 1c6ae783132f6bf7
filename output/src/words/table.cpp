// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/words/table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "railwright/output/words/lines.hpp"

namespace railwright::output {

namespace {

using Row = std::vector<std::string>;
using Widths = std::vector<std::size_t>;

constexpr std::size_t kGap = 2;        // between columns
constexpr std::size_t kMaxRule = 100;  // longest rule; a last column of sentences may exceed it
constexpr std::size_t kShortSentence = 14;
constexpr std::size_t kNarrowest = 4;  // width of a column that has to break within words

std::size_t total(const Widths& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         kGap * (widths.empty() ? 0 : widths.size() - 1);
}

/// Narrows the widest columns, each down to its minimum, until the table fits.
void narrow(Widths& widths, const Widths& least, std::size_t room) {
  while (total(widths) > room) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] <= least[i]) continue;
      if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
  }
}

/// Formats rows in a subset of the columns.
class Columns {
 public:
  Columns(const std::vector<bool>& is_left, std::vector<std::size_t> shown)
      : is_left_(is_left), shown_(std::move(shown)), widths_(shown_.size(), 0) {}

  /// Widens the columns to the cells of a row.
  void widen(const Row& row) {
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      if (shown_[i] < row.size()) widths_[i] = std::max(widths_[i], width(row[shown_[i]]));
    }
  }

  /// Narrows columns so that cells break between words, and within words if that is not enough.
  void fit(const Widths& least, std::size_t room) {
    Widths of_shown;
    for (const std::size_t column : shown_) of_shown.push_back(least[column]);
    narrow(widths_, of_shown, room);
    narrow(widths_, Widths(widths_.size(), kNarrowest), room);
  }

  /// Returns a line for each line of the tallest cell.
  [[nodiscard]] std::string lines(const Row& row) const {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      cells.push_back(broken(shown_[i] < row.size() ? row[shown_[i]] : "", widths_[i]));
      height = std::max(height, cells.back().size());
    }
    std::string text;
    for (std::size_t l = 0; l < height; ++l) {
      std::string out;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string cell = l < cells[i].size() ? cells[i][l] : "";
        const std::string padding(widths_[i] - std::min(widths_[i], width(cell)), ' ');
        if (i > 0) out.append(kGap, ' ');
        out += is_left_[shown_[i]] ? cell + padding : padding + cell;
      }
      out.erase(out.find_last_not_of(' ') + 1);
      text += out + "\n";
    }
    return text;
  }

  [[nodiscard]] std::string rule() const {
    return std::string(std::min(total(widths_), kMaxRule), '-') + "\n";
  }

 private:
  const std::vector<bool>& is_left_;
  std::vector<std::size_t> shown_;
  Widths widths_;
};

/// Returns the minimum width of each column. Headings and sentences break between words, but a
/// sentence keeps up to kShortSentence columns; numbers stay whole.
Widths least_widths(const Row& header, const std::vector<Row>& rows,
                    const std::vector<bool>& is_left) {
  Widths least;
  for (const std::string& cell : header) least.push_back(longest_word(cell));
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size() && i < least.size(); ++i) {
      least[i] = std::max(least[i], is_left[i] ? std::max(longest_word(row[i]),
                                                          std::min(width(row[i]), kShortSentence))
                                               : width(row[i]));
    }
  }
  return least;
}

/// Splits columns into tables that fit `room`; each table repeats the first column.
std::vector<std::vector<std::size_t>> groups(const Widths& least, std::size_t room) {
  std::vector<std::vector<std::size_t>> all(1);
  std::size_t used = 0;
  for (std::size_t i = 0; i < least.size(); ++i) {
    if (room > 0 && all.back().size() > 1 && used + kGap + least[i] > room) {
      all.push_back({0});
      used = least[0];
    }
    used += least[i] + (all.back().empty() ? 0 : kGap);
    all.back().push_back(i);
  }
  return all;
}

}  // namespace

std::string Table::text(const TextStyle& style) const {
  std::vector<bool> is_left(header_.size(), false);
  for (std::size_t i = 0; i < is_left.size(); ++i) {
    is_left[i] = i == 0 || std::ranges::find(left_, i) != left_.end();
  }
  const Widths least = least_widths(header_, rows_, is_left);
  std::string out;
  for (std::vector<std::size_t>& shown : groups(least, style.width)) {
    Columns columns(is_left, std::move(shown));
    columns.widen(header_);
    for (const Row& row : rows_) columns.widen(row);
    if (style.width > 0) columns.fit(least, style.width);
    const std::string header = columns.lines(header_);
    if (!out.empty()) out += "\n";
    out += style.color ? "\033[1m" + header.substr(0, header.size() - 1) + "\033[0m\n" : header;
    out += columns.rule();
    for (const Row& row : rows_) out += columns.lines(row);
  }
  return out;
}

}  // namespace railwright::output
