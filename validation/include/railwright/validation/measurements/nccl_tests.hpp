// SPDX-License-Identifier: Apache-2.0
// What nccl-tests and rccl-tests print. [@nccl_tests]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/validation/calibration/calibrate_collectives.hpp"

namespace railwright::validation {

/// The lines under the header that names `size`, `time` and `busbw`, out of place where both are
/// printed. Lines of the benchmark's own with `#`, and what launchers print around them, are passed
/// over. The bus bandwidth of a line has to be its size over its time times the bus factor of the
/// benchmark's operation and ranks, within 3 %: else the scenario is another one. Throws
/// ConfigError with every problem, each with its line.
std::vector<MeasuredCall> read_nccl_tests(std::string_view text, const std::string& file,
                                          const simulation::CheckedBenchmark& checked);

}  // namespace railwright::validation
