// SPDX-License-Identifier: Apache-2.0
// What programs print, whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railwright::planner {

/// A regular file of at most 256 MiB. Throws ConfigError.
std::string read_text_file(const std::string& path);

/// Pieces between line ends; a carriage return ends a line too, as progress bars write them.
std::vector<std::string_view> lines_of(std::string_view text);

/// Pieces between blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// A number and nothing else; NaN where it is none.
double number_of(std::string_view word);

}  // namespace railwright::planner
