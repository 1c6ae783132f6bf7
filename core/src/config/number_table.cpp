// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/number_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "railwright/core/config/text_file.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kMaxProblems = 100;
constexpr std::size_t kMaxRows = 2'000'000;

class NumberTable {
 public:
  NumberTable(std::span<const NumberColumn> columns, std::string_view row, const Location& where,
              std::string_view path, std::vector<Diagnostic>& problems)
      : columns_(columns), row_(row), where_(where), path_(path), problems_(problems) {}

  std::vector<std::vector<double>> read(std::string_view text) {
    std::vector<std::vector<double>> rows;
    int number = 0;
    for (const std::string_view line : lines_of(text)) {
      ++number;
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (places_.empty()) {
        read_names(cells_of(line, ','), number);
        if (places_.empty()) return {};
      } else if (rows.size() >= kMaxRows) {
        problem(number, fmt::format("more than {} {}s", kMaxRows, row_));
        break;
      } else if (auto row = row_of(cells_of(line, ','), number)) {
        rows.push_back(std::move(*row));
      }
      if (problems_.size() >= kMaxProblems) break;
    }
    if (rows.empty() && problems_.empty()) problem(number, fmt::format("no {}", row_));
    return rows;
  }

 private:
  void problem(int line, const std::string& message) {
    problems_.push_back(
        {where_, std::string(path_), fmt::format("line {}: {}", line, message), {}});
  }

  void read_names(const std::vector<std::string_view>& names, int line) {
    std::vector<std::ptrdiff_t> places;
    for (const NumberColumn& column : columns_) {
      const auto found = std::ranges::find(names, column.name);
      places.push_back(found == names.end() ? -1 : found - names.begin());
      if (std::ranges::count(names, column.name) > 1) {
        problem(line, fmt::format("column '{}' is given twice", column.name));
      }
      if (places.back() < 0 && column.is_required) {
        problem(line, fmt::format("no column '{}' among the names", column.name));
      }
    }
    if (problems_.empty()) places_ = std::move(places);
  }

  std::optional<std::vector<double>> row_of(const std::vector<std::string_view>& cells, int line) {
    std::vector<double> values;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const NumberColumn& column = columns_[i];
      const std::ptrdiff_t place = places_[i];
      const bool is_there = place >= 0 && place < std::ssize(cells) &&
                            !cells[static_cast<std::size_t>(place)].empty();
      values.push_back(is_there ? number_of(cells[static_cast<std::size_t>(place)])
                                : std::numeric_limits<double>::quiet_NaN());
      if (!is_there && !column.is_required) continue;
      const double value = values.back();
      const bool is_in_range = value >= column.least && value <= column.most;
      if (is_in_range && !(column.is_whole && value != std::floor(value))) continue;
      problem(line, fmt::format("{}: expected {} from {:.0f} to {:.0f}", column.name,
                                column.is_whole ? "a whole number" : "a number", column.least,
                                column.most));
      return std::nullopt;
    }
    if (is_below_another(values, line)) return std::nullopt;
    return values;
  }

  bool is_below_another(const std::vector<double>& values, int line) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].not_below.empty()) continue;
      const auto other = std::ranges::find(columns_, columns_[i].not_below, &NumberColumn::name);
      const double least = values[static_cast<std::size_t>(other - columns_.begin())];
      if (!(values[i] < least)) continue;
      problem(line, fmt::format("{}: {:.10g} is below the {} of {:.10g}", columns_[i].name,
                                values[i], columns_[i].not_below, least));
      return true;
    }
    return false;
  }

  std::span<const NumberColumn> columns_;
  std::string_view row_;
  const Location& where_;
  std::string_view path_;
  std::vector<Diagnostic>& problems_;
  std::vector<std::ptrdiff_t> places_;  ///< of columns among the cells; -1: absent
};

}  // namespace

std::vector<std::vector<double>> read_number_table(std::string_view text,
                                                   std::span<const NumberColumn> columns,
                                                   std::string_view row, const Location& where,
                                                   std::string_view path,
                                                   std::vector<Diagnostic>& problems) {
  return NumberTable(columns, row, where, path, problems).read(text);
}

}  // namespace railwright::core
