// SPDX-License-Identifier: Apache-2.0
// Checks that bytes are text.
#pragma once

#include <string>
#include <string_view>

namespace railwright::core {

/// Throws ConfigError at the first byte that is not UTF-8, or a control character other than tabs
/// and line ends.
void check_bytes(std::string_view text, const std::string& name);

}  // namespace railwright::core
