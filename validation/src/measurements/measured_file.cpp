// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/measured_file.hpp"

#include <filesystem>
#include <utility>

#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"
#include "railwright/validation/measurements/training_log.hpp"

namespace railwright::validation {

MeasuredFile open_measured(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".yaml" || ending == ".yml") return {.kind = MeasuredKind::kRunsYaml, .text = {}};
  std::string text = core::read_text_file(path);
  if (ending == ".csv") return {.kind = MeasuredKind::kRunsCsv, .text = std::move(text)};
  if (ending == ".json") return {.kind = MeasuredKind::kFio, .text = std::move(text)};
  if (is_training_log(text)) return {.kind = MeasuredKind::kTrainingLog, .text = std::move(text)};
  if (text.find("busbw") != std::string::npos) {
    return {.kind = MeasuredKind::kCollectives, .text = std::move(text)};
  }
  throw core::ConfigError(
      {{{path},
        "",
        "no measurements that are known here",
        "runs in .yaml or .csv, a log of Megatron-LM or NeMo, what nccl-tests prints, or fio's "
        ".json"}});
}

}  // namespace railwright::validation
