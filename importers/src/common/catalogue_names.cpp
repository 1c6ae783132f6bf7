// SPDX-License-Identifier: Apache-2.0
// Checks the names that readers assume against the catalogue.
#include <fmt/format.h>

#include <array>

#include "findings.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

namespace {

struct NamedEntry {
  std::string_view path;
  std::string_view kind;   ///< of the catalogue
  std::string_view above;  ///< path that is unknown without the entry
  bool is_decisive = true;
  std::string_view hint;
};
constexpr auto kNamedEntries = std::to_array<NamedEntry>(
    {{"workload.model", "workloads", "workload.model", true, "import its config.json too"},
     {"inference.model", "workloads", "inference.model", true, "import its config.json too"},
     {"software.model", "software", "software", false, "name the nearest profile beneath"}});

void erase_path(core::Node& node, std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot);
  if (dot == std::string_view::npos) {
    std::erase_if(node.entries, [&](const core::Entry& entry) { return entry.key == key; });
    return;
  }
  core::Node* below = node.find(key);
  if (below == nullptr) return;
  erase_path(*below, path.substr(dot + 1));
  if (below->is_mapping() && below->entries.empty()) erase_path(node, key);
}

}  // namespace

void drop_names_without_entry(ImportedParts& parts, const core::Catalogue& catalogue) {
  for (const NamedEntry& named : kNamedEntries) {
    for (Imported& part : parts.parts) {
      std::erase_if(part.values, [&](const ImportedValue& value) {
        if (value.path != named.path || !value.is_assumed || !value.value.is_scalar() ||
            catalogue.contains(named.kind, value.value.text)) {
          return false;
        }
        const core::Node* merged = core::find_path(parts.tree, named.path);
        if (merged != nullptr && merged->is_scalar()) erase_path(parts.tree, named.path);
        NotKnown& added = part.not_known.emplace_back();
        added.path = named.above;
        added.reason =
            fmt::format("the catalogue has no '{}': {}", shown(value.value.text), named.hint);
        added.is_outside = named.is_decisive;
        return true;
      });
    }
  }
}

void keep_software_of(const core::Node& base, ImportedParts& parts) {
  const core::Node* named = core::find_path(base, "software");
  if (named != nullptr && named->is_mapping()) named = named->find("model");
  if (named == nullptr || !named->is_scalar()) return;
  const std::string_view stack = std::string_view(named->text).substr(0, named->text.find('-'));
  for (Imported& part : parts.parts) {
    std::erase_if(part.values, [&](const ImportedValue& value) {
      if (value.path != "software.model" || !value.is_assumed) return false;
      if (!value.value.text.starts_with(stack)) return false;
      erase_path(parts.tree, "software.model");
      part.not_expressed.push_back(fmt::format("{}, {}: the scenario beneath keeps {}",
                                               value.value.text, value.origin, shown(named->text)));
      return true;
    });
  }
}

}  // namespace railwright::importers
