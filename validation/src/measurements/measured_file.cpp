// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/measured_file.hpp"

#include <filesystem>
#include <utility>

#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"
#include "railwright/validation/measurements/storage_tools.hpp"
#include "railwright/validation/measurements/training_log.hpp"

namespace railwright::validation {

MeasuredFile open_measured(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".yaml" || ending == ".yml") return {.kind = MeasuredKind::kRunsYaml, .text = {}};
  std::string text = core::read_text_file(path);
  if (ending == ".json" || is_storage_result(text)) {
    return {.kind = MeasuredKind::kStorage, .text = std::move(text)};
  }
  if (ending == ".csv") return {.kind = MeasuredKind::kRunsCsv, .text = std::move(text)};
  if (is_training_log(text)) return {.kind = MeasuredKind::kTrainingLog, .text = std::move(text)};
  if (text.find("busbw") != std::string::npos) {
    return {.kind = MeasuredKind::kCollectives, .text = std::move(text)};
  }
  throw core::ConfigError(
      {{{path},
        "",
        "no measurements that are known here",
        "runs in .yaml or .csv, a log of a training stack, what nccl-tests, IOR, mdtest or "
        "elbencho print, or the .json of fio, IOR or DLIO"}});
}

}  // namespace railwright::validation
