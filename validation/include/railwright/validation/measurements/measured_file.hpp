// SPDX-License-Identifier: Apache-2.0
// What a file of measurements is.
#pragma once

#include <cstdint>
#include <string>

namespace railwright::validation {

enum class MeasuredKind : std::uint8_t {
  kRunsYaml,
  kRunsCsv,
  kTrainingLog,
  kCollectives,  ///< what nccl-tests prints
  kFio,          ///< fio's JSON
};

struct MeasuredFile {
  MeasuredKind kind = MeasuredKind::kRunsYaml;
  std::string text;  ///< "" of YAML, which has its own limits
};

/// By the name's ending (.yaml, .csv, .json), else by what stands in it. Throws ConfigError for a
/// file of no known kind.
MeasuredFile open_measured(const std::string& path);

}  // namespace railwright::validation
