// SPDX-License-Identifier: Apache-2.0
// The printed output of other programs, read as a whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/error.hpp"

namespace railwright::core {

/// Reads a regular file of at most 256 MiB. Throws ConfigError.
std::string read_text_file(const std::string& path);

/// Splits at line ends; a carriage return ends a line too, as progress bars write them.
std::vector<std::string_view> lines_of(std::string_view text);

/// Splits at blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// Splits at every separator, and drops the blanks around each piece.
std::vector<std::string_view> cells_of(std::string_view line, char separator);

/// Converts a byte offset to line and column.
core::Location place_in(std::string_view text, std::size_t offset, const std::string& file);

/// Parses a word that is a number and nothing else; NaN otherwise.
double number_of(std::string_view word);

/// Throws ConfigError at the first byte that is not UTF-8, or a control character other than tabs
/// and line ends.
void check_bytes(std::string_view text, const std::string& name);

/// Removes the escape codes that colour and underline, which some programs print into files too.
std::string without_escapes(std::string_view text);

}  // namespace railwright::core
