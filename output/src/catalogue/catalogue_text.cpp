// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/catalogue/catalogue_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;
using Kind = core::Description::Kind;

/// Returns "B/s" for the exponents of a bandwidth.
std::string base_unit(const core::Exponents& exponents) {
  const std::string one = core::format_exact(1.0, exponents);
  return one.substr(one.find(' ') + 1);
}

double number(const std::string& text) {
  core::QuantityError error;
  const auto parsed = core::parse_quantity(text, error);
  return parsed ? parsed->base : 0.0;
}

Json value_json(const CatalogueValue& value) {
  Json json;
  if (value.kind == Kind::kQuantity) {
    json["value"] = number(value.text);
    json["unit"] = base_unit(value.exponents);
  } else if (value.kind == Kind::kInteger) {
    json["value"] = std::llround(number(value.text));
  } else if (value.kind == Kind::kNumber) {
    json["value"] = number(value.text);
  } else if (value.kind == Kind::kTruth) {
    json["value"] = value.text == "true";
  } else {
    json["value"] = value.text;
  }
  if (!value.low.empty()) json["range"] = {number(value.low), number(value.high)};
  if (!value.entry.empty()) json["entry"] = value.entry;
  if (!value.source.empty()) {
    json["source"] = value.source;
    json["estimate"] = value.estimate;
  }
  return json;
}

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
  std::vector<std::string> header{"key", "value"};
  if (estimates) header.emplace_back("");
  if (sources) header.emplace_back("source");
  Table table(header);
  for (std::size_t column = 1; column < header.size(); ++column) table.align_left(column);
  for (const CatalogueValue& value : entry.values) {
    std::vector<std::string> row{value.key, text_with_range(value)};
    if (estimates) row.emplace_back(value.estimate ? "estimate" : "");
    if (sources) row.push_back(value.entry.empty() ? value.source : "see " + value.entry);
    table.add_row(std::move(row));
  }
  std::string text =
      fmt::format("{}/{}: {}\n", entry.item.kind, entry.item.name, entry.item.description);
  if (!entry.source.empty()) text += fmt::format("source: {}\n", entry.source);
  return text + "\n" + table.text(style);
}

std::string to_json(const CatalogueListing& listing) {
  Json json = Json::object();
  for (const CatalogueItem& item : listing.items) {
    json[item.kind].push_back({{"name", item.name}, {"description", item.description}});
  }
  return json.dump(2) + "\n";
}

std::string to_json(const CatalogueEntry& entry) {
  Json json = {{"kind", entry.item.kind},
               {"name", entry.item.name},
               {"description", entry.item.description}};
  if (!entry.source.empty()) json["source"] = entry.source;
  Json values = Json::object();
  for (const CatalogueValue& value : entry.values) values[value.key] = value_json(value);
  json["values"] = std::move(values);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
