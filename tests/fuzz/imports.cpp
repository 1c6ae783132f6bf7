// SPDX-License-Identifier: Apache-2.0
// Artefacts of other programs, of the kind that the input's first byte says; what is read is
// written as YAML that reads back.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/importers/import.hpp"

using namespace railwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const std::string file =
      (std::filesystem::temp_directory_path() / ("railwright_fuzz_" + std::to_string(getpid())))
          .string();
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(data) + 1, size - 1);
  importers::ImportedParts parts;
  try {
    const std::size_t row = data[0] % importers::Importer::table().size();
    parts = importers::import_files({{importers::ImportKind::at(row), file}});
  } catch (const core::ConfigError&) {
    return 0;
  }
  // A file may hold nothing that a scenario can say: then only comments are written.
  if (parts.tree.entries.empty()) return 0;
  core::parse_yaml(importers::import_yaml(parts, parts.tree, ""), "import.yaml");
  return 0;
}
