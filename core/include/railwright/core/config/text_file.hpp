// SPDX-License-Identifier: Apache-2.0
// What programs print, whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/error.hpp"

namespace railwright::core {

/// A regular file of at most 256 MiB. Throws ConfigError.
std::string read_text_file(const std::string& path);

/// Pieces between line ends; a carriage return ends a line too, as progress bars write them.
std::vector<std::string_view> lines_of(std::string_view text);

/// Pieces between blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// The place of a byte of a text.
core::Location place_in(std::string_view text, std::size_t offset, const std::string& file);

/// A number and nothing else; NaN where it is none.
double number_of(std::string_view word);

}  // namespace railwright::core
