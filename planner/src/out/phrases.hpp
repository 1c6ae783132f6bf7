// SPDX-License-Identifier: Apache-2.0
// Keys in words, and lines that state one thing.
#pragma once

#include <string>
#include <string_view>

namespace railwright::planner {

/// The last word of a dotted key, which stands over its values; of "nics.count" the one before.
std::string short_key(const std::string& key);
/// "gradient reduce" of "gradient_reduce".
std::string words(std::string_view key);
/// A label and what it says, the labels in one column.
std::string fact(std::string_view label, const std::string& text);

}  // namespace railwright::planner
