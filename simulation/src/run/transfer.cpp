// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace railwright::simulation {

namespace {

/// Pairs of a column and its seconds of the link per byte, sorted by column.
using Row = std::vector<std::pair<std::size_t, double>>;

bool is_at_most(const Row& row, const Row& other) {
  auto there = other.begin();
  for (const auto& [column, seconds] : row) {
    while (there != other.end() && there->first < column) ++there;
    if (there == other.end() || there->first != column || there->second < seconds) return false;
  }
  return true;
}

/// Returns the rows that no other row covers.
std::vector<Row> largest(std::vector<Row> rows) {
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::pair(b.size(), b) < std::pair(a.size(), a);
  });
  std::vector<Row> kept;
  for (Row& row : rows) {
    const bool is_covered =
        std::ranges::any_of(kept, [&](const Row& other) { return is_at_most(row, other); });
    if (!is_covered) kept.push_back(std::move(row));
  }
  return kept;
}

}  // namespace

std::int32_t fold_links(std::span<const models::StorageLink> links,
                        std::span<std::vector<core::LinkUse>* const> columns) {
  std::vector<Row> by_link(links.size());
  for (std::size_t column = 0; column < columns.size(); ++column) {
    for (const core::LinkUse& use : *columns[column]) {
      const auto link = static_cast<std::size_t>(use.link);
      by_link[link].emplace_back(column, use.coefficient / links[link].capacity);
    }
    columns[column]->clear();
  }
  std::erase_if(by_link, [](const Row& row) { return row.empty(); });
  std::ranges::sort(by_link);
  const auto [first, last] = std::ranges::unique(by_link);
  by_link.erase(first, last);
  const std::vector<Row> kept = largest(std::move(by_link));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (const auto& [column, seconds] : kept[i]) {
      columns[column]->push_back({static_cast<core::LinkId>(i), seconds});
    }
  }
  return static_cast<std::int32_t>(kept.size());
}

}  // namespace railwright::simulation
