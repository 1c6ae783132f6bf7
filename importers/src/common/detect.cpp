// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "railwright/core/config/text_file.hpp"
#include "railwright/importers/import.hpp"
#include "readers.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kHead = std::size_t{1} << 20U;  ///< bytes that are searched

bool has(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

/// Whether a line starts with this word, after blanks.
bool has_line(std::string_view text, std::string_view start) {
  return std::ranges::any_of(core::lines_of(text), [&](std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line.starts_with(start);
  });
}

}  // namespace

std::optional<ImportKind> detect_import_kind(std::string_view text) {
  const std::string_view head = text.substr(0, kHead);
  if (has(head, "<system") && has(head, "<cpu")) return ImportKind::kNcclTopology;
  if (has_line(head, "Switch\t") || has(head, "vendid=0x")) return ImportKind::kIbNetDiscover;
  if (has_line(head, "SwitchName=") || has_line(head, "BlockName=")) {
    return ImportKind::kSlurmTopology;
  }
  if (has_line(head, "JobID") && has(head, "|Submit|")) return ImportKind::kSlurmJobs;
  if (has(head, "ContextTokens") || has(head, "Response tokens")) return ImportKind::kRequestTrace;
  if (has_line(head, "GPU0") && has(head, "X")) return ImportKind::kNvidiaSmiTopo;
  const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && head[first] == '{') {
    if (has(head, "\"model_type\"")) return ImportKind::kHuggingFace;
    if (has(head, "\"zero_optimization\"") || has(head, "\"train_batch_size\"") ||
        has(head, "\"train_micro_batch_size_per_gpu\"")) {
      return ImportKind::kDeepSpeed;
    }
    return {};
  }
  if (starts_serving_engine(head)) return ImportKind::kServingLaunch;
  if (has(head, "--num-layers") || has(head, "--tensor-model-parallel-size") ||
      has(head, "tensor_model_parallel_size ..")) {
    return ImportKind::kMegatron;
  }
  if (has_line(head, "trainer:") && has_line(head, "model:")) return ImportKind::kNemo;
  return {};
}

}  // namespace railwright::importers
