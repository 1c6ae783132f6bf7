// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/in/import.hpp"

namespace railwright::planner {

namespace {

constexpr std::size_t kHead = std::size_t{1} << 20U;  ///< bytes that are looked at

bool has(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

}  // namespace

std::optional<ImportKind> detect_import_kind(std::string_view text) {
  const std::string_view head = text.substr(0, kHead);
  const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && head[first] == '{') {
    if (has(head, "\"model_type\"")) return ImportKind::kHuggingFace;
    if (has(head, "\"zero_optimization\"") || has(head, "\"train_batch_size\"") ||
        has(head, "\"train_micro_batch_size_per_gpu\"")) {
      return ImportKind::kDeepSpeed;
    }
    return {};
  }
  return {};
}

}  // namespace railwright::planner
