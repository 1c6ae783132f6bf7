// SPDX-License-Identifier: Apache-2.0
// Phrases that all messages share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::core {

/// Puts `text` in single quotes on one line, shortened if it is long.
std::string in_quotes(std::string_view text);

/// Describes a node, for "expected ..., got": "'abc'", "a list", "a mapping", "nothing".
std::string got(const Node& node);

/// "did you mean 'x'?", or else `otherwise`.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known,
                         std::string otherwise = {});

/// "did you mean 'x'? (known: x, y)", "known: x, y" or "there are none".
std::string known_names_hint(std::string_view name, const std::vector<std::string>& known);

/// "a, b, c".
std::string listed(const std::vector<std::string>& words);

/// "accelerators" -> "accelerator", "switches" -> "switch".
std::string singular(std::string_view kind);

}  // namespace railwright::core
