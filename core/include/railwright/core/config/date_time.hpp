// SPDX-License-Identifier: Apache-2.0
// Dates and times as programs write them.
#pragma once

#include <optional>
#include <string_view>

namespace railwright::core {

/// Reads a number of digits alone.
std::optional<int> digits_of(std::string_view text);

/// Reads "2026-10-01T12:30:05", with a blank in place of the T and fractions of a second too, as
/// seconds of an epoch. Nothing for a day or an hour that there is not, such as 25:17.
std::optional<double> date_time_of(std::string_view text);

}  // namespace railwright::core
