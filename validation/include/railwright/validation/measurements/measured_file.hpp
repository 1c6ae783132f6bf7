// SPDX-License-Identifier: Apache-2.0
// Detects the kind of a file of measurements.
#pragma once

#include <cstdint>
#include <string>

namespace railwright::validation {

enum class MeasuredKind : std::uint8_t {
  kRunsYaml,
  kRunsCsv,
  kTrainingLog,
  kCollectives,  ///< output of nccl-tests
  kStorage,      ///< results of fio, IOR, mdtest, elbencho or DLIO
};

struct MeasuredFile {
  MeasuredKind kind = MeasuredKind::kRunsYaml;
  std::string text;  ///< "" for YAML, whose reader opens the file itself
};

/// Opens a file and detects its kind by its ending (.yaml, .csv, .json), else by its content.
/// Throws ConfigError for a file of no known kind.
MeasuredFile open_measured(const std::string& path);

}  // namespace railwright::validation
