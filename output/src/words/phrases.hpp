// SPDX-License-Identifier: Apache-2.0
// Keys in words, and labelled lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railwright::output {

/// Returns the last word of a dotted key, for the head of a column; for "nics.count", the word
/// before.
std::string short_key(const std::string& key);
/// Returns "gradient reduce" for "gradient_reduce".
std::string words(std::string_view key);
/// Returns a line with a padded label and its text.
std::string fact(std::string_view label, const std::string& text);
/// Returns " --set a=1 --set b=2", to append to a command.
std::string settings_text(const std::vector<std::string>& settings);
/// Returns the lines that `size` adds to an answer: the settings, and what a smaller one misses.
std::string sized_text(const std::vector<std::string>& settings, const std::string& smaller);

/// Warning that `search` and `size` print with their answers.
inline constexpr std::string_view kBestOfMany =
    "The best of many predictions is optimistic: selection favours configurations that the model "
    "predicts too fast, so measure the first few before you buy.";

}  // namespace railwright::output
