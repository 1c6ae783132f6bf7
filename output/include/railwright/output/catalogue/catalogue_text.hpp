// SPDX-License-Identifier: Apache-2.0
// The catalogue as people and programs read it: what there is, and where each value comes from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/output/words/table.hpp"

namespace railwright::output {

struct CatalogueItem {
  std::string kind;
  std::string name;
  std::string description;
};

struct CatalogueListing {
  std::vector<CatalogueItem> items;  ///< by kind, then by name
};

/// One key of an entry.
struct CatalogueValue {
  std::string key;        ///< dotted
  std::string text = {};  ///< as it stands in YAML: "400 Gb/s", "ring", "8"
  core::Description::Kind kind = core::Description::Kind::kAny;
  core::Exponents exponents{};  ///< of a quantity
  std::string source = {};      ///< empty where the key has none
  bool estimate = false;
  std::string entry = {};  ///< "nics/connectx-7" where the value is another entry of the catalogue
};

struct CatalogueEntry {
  CatalogueItem item;
  std::string source;  ///< of the whole entry, where it has one
  std::vector<CatalogueValue> values;
};

/// All entries, or those of one kind. Throws ConfigError for an unknown kind or a bad entry.
CatalogueListing list_catalogue(const core::Catalogue& catalogue, const std::string& kind = {});

/// The entry `name` of any kind, or `kind/name`. Throws ConfigError where there is none, or where
/// several kinds have one.
CatalogueEntry show_entry(const core::Catalogue& catalogue, const std::string& name);

std::string to_text(const CatalogueListing& listing, const TextStyle& style = {});
std::string to_text(const CatalogueEntry& entry, const TextStyle& style = {});
std::string to_json(const CatalogueListing& listing);
std::string to_json(const CatalogueEntry& entry);

}  // namespace railwright::output
