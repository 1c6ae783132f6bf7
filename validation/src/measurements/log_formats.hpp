// SPDX-License-Identifier: Apache-2.0
// Lines of training stacks that tell the time of a step.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace railwright::validation {

/// A kind of line that tells a step time.
struct LogFormat {
  std::string_view name;
  std::string_view mark;  ///< text that such a line has
  /// Returns the step times of a text in seconds, in their order; empty for none.
  std::vector<double> (*times)(std::string_view text);
  double lines_per_measurement = 1.0;  ///< where a line tells a running mean
  double digits = 15.0;                ///< that a number has
};

/// All formats; of those that a text has, the first is read.
std::span<const LogFormat> log_formats();

}  // namespace railwright::validation
