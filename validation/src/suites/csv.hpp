// SPDX-License-Identifier: Apache-2.0
// Cells of a CSV text that know where they stood. [@rfc4180]
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

/// Rows of cells, without empty lines and those that start with `#`. A quoted cell may hold commas,
/// line ends and doubled quotes. Throws ConfigError for a quote that never ends,
/// and for what is no UTF-8.
std::vector<std::vector<Cell>> parse_csv(std::string_view text, const std::string& file);

}  // namespace railwright::validation
