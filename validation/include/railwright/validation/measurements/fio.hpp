// SPDX-License-Identifier: Apache-2.0
// Reads the JSON that fio prints. [@fio]
#pragma once

#include <string>
#include <string_view>

#include "railwright/validation/calibration/calibrate_storage.hpp"

namespace railwright::validation {

/// Reads fio's `--output-format=json`: `jobs[]` with `read` and `write` of `bw_bytes`, `iops` and
/// `lat_ns.mean`. Skips lines before the first brace. Throws ConfigError with every problem.
StorageReport read_fio(std::string_view text, const std::string& file);

}  // namespace railwright::validation
