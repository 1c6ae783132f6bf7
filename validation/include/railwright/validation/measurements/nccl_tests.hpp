// SPDX-License-Identifier: Apache-2.0
// Reads what nccl-tests and rccl-tests print. [@nccl_tests]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/validation/calibration/calibrate_collectives.hpp"

namespace railwright::validation {

/// Reads the lines under the header that names `size`, `time` and `busbw`; of in place and out of
/// place, takes out of place. Skips comment lines with `#` and what launchers print. Each bus
/// bandwidth must be size over time, times the bus factor of the benchmark's operation and ranks,
/// within 3 %: else the scenario does not match. Throws ConfigError with every problem, each with
/// its line.
std::vector<MeasuredCall> read_nccl_tests(std::string_view text, const std::string& file,
                                          const simulation::CheckedBenchmark& checked);

}  // namespace railwright::validation
