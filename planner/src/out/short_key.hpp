// SPDX-License-Identifier: Apache-2.0
// A dotted key in a word.
#pragma once

#include <string>

namespace railwright::planner {

/// The last word of a dotted key, which stands over its values; of "nics.count" the one before.
std::string short_key(const std::string& key);

}  // namespace railwright::planner
