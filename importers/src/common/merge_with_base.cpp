// SPDX-License-Identifier: Apache-2.0
// Merges imported parts over a base scenario.
#include <filesystem>
#include <system_error>
#include <utility>

#include "railwright/importers/import.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::importers {

namespace {

namespace fs = std::filesystem;

constexpr int kMaxFilesDeep = 8;  ///< ends the recursion of a file that names itself

/// Renames files that a document names beside itself, as seen from `folder`. Replaces the name of a
/// YAML file outside `folder` by its content, since a document may not name files outside its
/// folder.
void name_from(const fs::path& folder, core::Node& node, int depth = 0) {
  if (node.is_scalar() && (node.text.ends_with(".yaml") || node.text.ends_with(".json"))) {
    std::error_code error;
    const fs::path file = fs::path(node.where.file).parent_path() / node.text;
    if (!fs::is_regular_file(file, error)) return;
    const fs::path seen = fs::proximate(file, folder, error);
    if (error) return;
    if (*seen.begin() == ".." && node.text.ends_with(".yaml") && depth < kMaxFilesDeep) {
      node = core::load_yaml(file.string());
      return name_from(folder, node, depth + 1);
    }
    node.text = seen.generic_string();
  }
  for (core::Entry& entry : node.entries) {
    const bool is_word = entry.key == "name" || entry.key == "description" || entry.key == "source";
    if (!is_word) name_from(folder, entry.value, depth);
  }
  for (core::Node& item : node.items) name_from(folder, item, depth);
}

}  // namespace

core::Node merge_with_base(const ImportedParts& parts, core::Node base, const std::string& folder) {
  name_from(folder, base);
  core::Node tree = core::overlay(std::move(base), parts.tree);
  simulation::settle(tree);
  return tree;
}

}  // namespace railwright::importers
