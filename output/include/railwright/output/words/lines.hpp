// SPDX-License-Identifier: Apache-2.0
// Width of text on a terminal, and line breaks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace railwright::output {

/// Returns the columns that text takes: its code points, without colour escapes.
std::size_t width(std::string_view text);
/// Returns the width of the widest piece that is broken only as a last resort: a word, or a part of
/// a key or path.
std::size_t longest_word(std::string_view text);
/// Splits text into lines of at most `room` columns: at spaces, else after '.', '_', '/', '=', ','
/// or '-', else anywhere.
std::vector<std::string> broken(std::string_view text, std::size_t room);
/// Breaks every line that is longer than `room` columns. Continuation lines are indented to the
/// start of the sentence: after a label, or at the line's indent. A line broken before a `--set`
/// ends in a backslash. A `room` of 0 returns the text unchanged.
std::string wrapped(std::string_view text, std::size_t room);

}  // namespace railwright::output
