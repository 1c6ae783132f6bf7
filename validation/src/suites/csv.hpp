// SPDX-License-Identifier: Apache-2.0
// Reads the cells of a CSV text with their places. [@rfc4180]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/error.hpp"

namespace railwright::validation {

struct Cell {
  std::string text;  ///< without quotes and the blanks around it
  core::Location where;
};

/// Returns the rows of cells. Skips empty lines and lines that start with `#`. A quoted cell may
/// hold commas, line ends and doubled quotes. Throws ConfigError for a quote that never ends, and
/// for text other than UTF-8.
std::vector<std::vector<Cell>> parse_csv(std::string_view text, const std::string& file);

}  // namespace railwright::validation
