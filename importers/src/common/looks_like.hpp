// SPDX-License-Identifier: Apache-2.0
// Marks by which a file is recognized.
#pragma once

#include <string_view>

namespace railwright::importers {

bool contains(std::string_view text, std::string_view what);
/// Whether a line starts with this word, after blanks.
bool has_line(std::string_view text, std::string_view start);
/// Whether the text opens with a brace.
bool is_json_object(std::string_view text);

}  // namespace railwright::importers
