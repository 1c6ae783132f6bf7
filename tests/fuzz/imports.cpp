// SPDX-License-Identifier: Apache-2.0
// Artefacts of other programs, of the kind that the input's first byte says; what is read is
// written as YAML that reads back.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/planner/in/import.hpp"

using namespace railwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  planner::ImportedParts parts;
  try {
    const auto& kinds = core::EnumNames<planner::ImportKind>::kNames;
    parts.parts.push_back(planner::import_text(kinds[data[0] % kinds.size()].second, text, "fuzz"));
  } catch (const core::ConfigError&) {
    return 0;
  }
  core::parse_yaml(planner::import_yaml(parts, ""), "import.yaml");
  return 0;
}
