// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/catalogue/catalogue_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace railwright::output {

namespace {

/// Returns "4 GB/s (2 GB/s to 5 GB/s)" for a value with a range.
std::string text_with_range(const CatalogueValue& value) {
  if (value.low.empty()) return value.text;
  return fmt::format("{} ({} to {})", value.text, value.low, value.high);
}

}  // namespace

std::string to_text(const CatalogueListing& listing, const TextStyle& style) {
  Table table({"kind", "name", "description"});
  table.align_left(1);
  table.align_left(2);
  std::string before;
  for (const CatalogueItem& item : listing.items) {
    table.add_row({item.kind == before ? "" : item.kind, item.name, item.description});
    before = item.kind;
  }
  return table.text(style);
}

std::string to_text(const CatalogueEntry& entry, const TextStyle& style) {
  const auto has_estimate = [](const CatalogueValue& value) { return value.estimate; };
  const bool estimates = std::ranges::any_of(entry.values, has_estimate);
  const bool sources = std::ranges::any_of(entry.values, [](const CatalogueValue& value) {
    return !value.source.empty() || !value.entry.empty();
  });
  const bool flags = std::ranges::any_of(
      entry.values, [](const CatalogueValue& value) { return !value.flag.empty(); });
  std::vector<std::string> header{"key", "value"};
  if (flags) header.emplace_back("in the stack's files");
  if (estimates) header.emplace_back("");
  if (sources) header.emplace_back("source");
  Table table(header);
  for (std::size_t column = 1; column < header.size(); ++column) table.align_left(column);
  for (const CatalogueValue& value : entry.values) {
    std::vector<std::string> row{value.key, text_with_range(value)};
    if (flags) row.push_back(value.flag);
    if (estimates) row.emplace_back(value.estimate ? "estimate" : "");
    if (sources) row.push_back(value.entry.empty() ? value.source : "see " + value.entry);
    table.add_row(std::move(row));
  }
  std::string text =
      fmt::format("{}/{}: {}\n", entry.item.kind, entry.item.name, entry.item.description);
  if (!entry.source.empty()) text += fmt::format("source: {}\n", entry.source);
  const std::vector<std::string> left = entry.left_to_user();
  if (!left.empty()) {
    text += fmt::format("left to you, with the default below: {}\n", fmt::join(left, ", "));
  }
  return text + "\n" + table.text(style);
}

}  // namespace railwright::output
