// SPDX-License-Identifier: Apache-2.0
// The catalogue as text and JSON: its entries, their values and the source of each value.
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
  std::vector<CatalogueItem> items;  ///< sorted by kind, then by name
};

/// One key of an entry.
struct CatalogueValue {
  std::string key;        ///< dotted
  std::string text = {};  ///< verbatim from YAML: "400 Gb/s", "ring", "8"
  std::string low = {};   ///< of the range that it is known within, verbatim; empty if it has none
  std::string high = {};
  core::Description::Kind kind = core::Description::Kind::kAny;
  core::Exponents exponents{};  ///< dimension, for a quantity
  std::string source = {};      ///< empty if the key has none
  bool estimate = false;
  std::string entry = {};   ///< "nics/connectx-7" if the value is another entry of the catalogue
  std::string flag = {};    ///< what the files of a software profile's stack call the key
  bool is_default = false;  ///< the entry does not set it
  bool is_choice = false;   ///< some stack lets its users set it
};

struct CatalogueEntry {
  CatalogueItem item;
  std::string source;  ///< source of the whole entry; may be empty
  std::vector<CatalogueValue> values;

  /// Returns the keys of a software profile that it leaves to the user; none for other entries.
  [[nodiscard]] std::vector<std::string> left_to_user() const;
};

/// Lists all entries, or those of one kind. Throws ConfigError for an unknown kind or a bad entry.
CatalogueListing list_catalogue(const core::Catalogue& catalogue, const std::string& kind = {});

/// Returns the entry called `name` or `kind/name`; of a software profile with the names that its
/// stack gives the keys. Throws ConfigError if no kind or several kinds
/// have one.
CatalogueEntry show_entry(const core::Catalogue& catalogue, const std::string& name);

std::string to_text(const CatalogueListing& listing, const TextStyle& style = {});
std::string to_text(const CatalogueEntry& entry, const TextStyle& style = {});
std::string to_json(const CatalogueListing& listing);
std::string to_json(const CatalogueEntry& entry);

}  // namespace railwright::output
