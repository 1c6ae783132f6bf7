// SPDX-License-Identifier: Apache-2.0
// Suggestions for a misspelt word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railwright::core {

/// Converts ASCII letters to lower case; leaves others unchanged.
std::string lower_case(std::string_view text);

/// Returns the name that `word` means by its parts, the newest of several: "nemo" is "nemo-23.11",
/// "llama-3-70b" is "llama-3.3-70b", "h100" is "h100-sxm". Else the shortest that `word`
/// abbreviates, else the nearest of `known` if it is close enough to `word` to be a typo
/// (Damerau-Levenshtein distance at most max(1, length / 3), ignoring case). Returns "" if there is
/// none, or if nothing tells which of several is meant: "xe9680" is a server with any of six
/// accelerators.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace railwright::core
