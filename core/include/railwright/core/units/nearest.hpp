// SPDX-License-Identifier: Apache-2.0
// What a misspelt word was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railwright::core {

/// ASCII letters in lower case; others as they are.
std::string lower_case(std::string_view text);

/// The nearest of `known` to `word` when it is near enough to be a typo (Damerau-Levenshtein
/// distance at most max(1, length / 3), case aside), else the shortest that `word` abbreviates,
/// else "".
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace railwright::core
