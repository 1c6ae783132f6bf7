// SPDX-License-Identifier: Apache-2.0
// The secret in the address of the what-if page.
#pragma once

#include <string>
#include <string_view>

namespace railwright::web {

/// 256 bits from the system's generator, in hexadecimal digits. Throws where it gives none.
std::string random_token();

/// In a time that tells nothing of where they differ, only of `given`'s length.
bool is_same_token(std::string_view given, std::string_view token);

}  // namespace railwright::web
