// SPDX-License-Identifier: Apache-2.0
// Lines of a terminal: how wide text is, and where it is broken.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace railwright::output {

/// Columns that text takes: its code points, without the escapes of colours.
std::size_t width(std::string_view text);
/// The widest piece of text that is not broken while anything else can be: a word, or of a key or
/// path a part of it.
std::size_t longest_word(std::string_view text);
/// Text in lines of at most `room` columns, broken at spaces, then behind '.', '_', '/', '=' and
/// ',', then anywhere.
std::vector<std::string> broken(std::string_view text, std::size_t room);
/// Breaks every line that is longer than `room`. What follows stands under where the sentence
/// began: behind a label, or behind the line's indent. A broken command ends in a backslash.
/// As it is where `room` is 0.
std::string wrapped(std::string_view text, std::size_t room);

}  // namespace railwright::output
