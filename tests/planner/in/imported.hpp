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
#include "railwright/planner/in/import.hpp"

namespace railwright::test {

inline std::string sample(const std::string& name) {
  return RAILWRIGHT_SOURCE_DIR "/tests/planner/in/samples/" + name;
}

inline std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline planner::Imported import_sample(planner::ImportKind kind, const std::string& name,
                                       const core::Node& known = {}) {
  return planner::import_text(kind, text_of(sample(name)), name, known);
}

inline const planner::ImportedValue* find(const planner::Imported& imported,
                                          std::string_view path) {
  const auto found = std::ranges::find(imported.values, path, &planner::ImportedValue::path);
  return found == imported.values.end() ? nullptr : &*found;
}

/// A value as YAML; "absent" where there is none; "~" in front where it is assumed.
inline std::string value(const planner::Imported& imported, std::string_view path) {
  const planner::ImportedValue* found = find(imported, path);
  if (found == nullptr) return "absent";
  std::string text = core::to_yaml(found->value);
  if (found->is_assumed) text.insert(0, 1, '~');
  return text;
}

inline bool is_unknown(const planner::Imported& imported, std::string_view path) {
  return std::ranges::count(imported.not_known, path, &planner::NotKnown::path) > 0;
}

/// All that the file has beyond a scenario, a line each.
inline std::string not_expressed(const planner::Imported& imported) {
  std::string text;
  for (const std::string& line : imported.not_expressed) text += line + "\n";
  return text;
}

/// What is wrong with a text; "" where nothing is.
inline std::string refusal(planner::ImportKind kind, std::string_view text) {
  try {
    planner::import_text(kind, text, "file");
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace railwright::test
