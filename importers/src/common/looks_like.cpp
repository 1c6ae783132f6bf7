// SPDX-License-Identifier: Apache-2.0
#include "looks_like.hpp"

#include <algorithm>

#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

bool has_line(std::string_view text, std::string_view start) {
  return std::ranges::any_of(core::lines_of(text), [&](std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line.starts_with(start);
  });
}

bool is_json_object(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace railwright::importers
