// SPDX-License-Identifier: Apache-2.0
// Numbers as text, independent of the locale.
#pragma once

#include <string>
#include <string_view>

namespace railwright::core {

enum class NumberStatus { kOk, kNone, kNotFinite };

/// Reads the number that `text` starts with and removes it from `text`.
NumberStatus take_number(std::string_view& text, double& out);

/// Returns the shortest text that reads back as the same double, without an exponent if that is
/// short.
std::string shortest(double value);

/// Removes spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace railwright::core
