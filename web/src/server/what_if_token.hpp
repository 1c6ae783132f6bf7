// SPDX-License-Identifier: Apache-2.0
// The secret in the address of the what-if page.
#pragma once

#include <string>
#include <string_view>

namespace railwright::web {

/// Returns 256 bits from the system's generator as hexadecimal digits. Throws if it fails.
std::string random_token();

/// Compares tokens in a time that depends on the length of `given` only, not on the first
/// difference.
bool is_same_token(std::string_view given, std::string_view token);

}  // namespace railwright::web
