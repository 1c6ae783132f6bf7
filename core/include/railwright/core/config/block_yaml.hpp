// SPDX-License-Identifier: Apache-2.0
// A tree as a file that people read: a line a key, with comments.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

/// Replaces all that could end a comment or move a terminal's cursor by '?'.
std::string comment_text(std::string_view text);

/// Renders a mapping in block style, behind each key the comment of its dotted path.
std::string to_block_yaml(const Node& mapping, const std::map<std::string, std::string>& comments);

}  // namespace railwright::core
