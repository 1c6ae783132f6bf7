// SPDX-License-Identifier: Apache-2.0
// Keys in words, and lines that state one thing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railwright::output {

/// The last word of a dotted key, which stands over its values; of "nics.count" the one before.
std::string short_key(const std::string& key);
/// "gradient reduce" of "gradient_reduce".
std::string words(std::string_view key);
/// A label and what it says, the labels in one column.
std::string fact(std::string_view label, const std::string& text);
/// " --set a=1 --set b=2", to go behind a command.
std::string settings_text(const std::vector<std::string>& settings);

/// What `search` and `size` say of their answers.
inline constexpr std::string_view kBestOfMany =
    "The best of many predictions is optimistic: selection favours configurations that the model "
    "predicts too fast, so measure the first few before you buy.";

}  // namespace railwright::output
