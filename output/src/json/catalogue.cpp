// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "railwright/core/units/text.hpp"
#include "railwright/output/catalogue/catalogue_text.hpp"

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
  if (!value.flag.empty()) json["flag"] = value.flag;
  if (!value.source.empty()) {
    json["source"] = value.source;
    json["estimate"] = value.estimate;
  }
  return json;
}

}  // namespace

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
  if (const auto left = entry.left_to_user(); !left.empty()) json["left_to_user"] = left;
  Json values = Json::object();
  for (const CatalogueValue& value : entry.values) values[value.key] = value_json(value);
  json["values"] = std::move(values);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
