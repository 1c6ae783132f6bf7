// SPDX-License-Identifier: Apache-2.0
// Looks into what was imported.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::test {

inline std::string sample(const std::string& name) {
  return RAILWRIGHT_SOURCE_DIR "/tests/importers/samples/" + name;
}

inline std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline importers::Imported import_sample(importers::ImportKind kind, const std::string& name,
                                         const core::Node& known = {}) {
  return importers::import_text(kind, text_of(sample(name)), name, known);
}

inline const importers::ImportedValue* find(const importers::Imported& imported,
                                            std::string_view path) {
  const auto found = std::ranges::find(imported.values, path, &importers::ImportedValue::path);
  return found == imported.values.end() ? nullptr : &*found;
}

/// A value as YAML; "absent" where there is none; "~" in front where it is assumed.
inline std::string value(const importers::Imported& imported, std::string_view path) {
  const importers::ImportedValue* found = find(imported, path);
  if (found == nullptr) return "absent";
  std::string text = core::to_yaml(found->value);
  if (found->is_assumed) text.insert(0, 1, '~');
  return text;
}

inline bool is_unknown(const importers::Imported& imported, std::string_view path) {
  return std::ranges::count(imported.not_known, path, &importers::NotKnown::path) > 0;
}

/// All that the file has beyond a scenario, a line each.
inline std::string not_expressed(const importers::Imported& imported) {
  std::string text;
  for (const std::string& line : imported.not_expressed) text += line + "\n";
  return text;
}

/// What is wrong with a text; "" where nothing is.
inline std::string refusal(importers::ImportKind kind, std::string_view text) {
  try {
    importers::import_text(kind, text, "file");
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace railwright::test
