// SPDX-License-Identifier: Apache-2.0
#include "railwright/importers/import.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kHead = std::size_t{1} << 20U;  ///< bytes that are searched

}  // namespace

std::optional<ImportKind> detect_import_kind(std::string_view text) {
  const std::string_view head = text.substr(0, kHead);
  const Importer* best = nullptr;
  for (const Importer& one : Importer::table()) {
    if (best != nullptr && best->marks <= one.marks) continue;
    if (one.recognizes(head)) best = &one;
  }
  if (best == nullptr) return {};
  return ImportKind(best->name);
}

}  // namespace railwright::importers
