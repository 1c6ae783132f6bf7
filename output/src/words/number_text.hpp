// SPDX-License-Identifier: Apache-2.0
// Numbers as text: counts, shares, money, and emphasis on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "railwright/core/units/quantity.hpp"
#include "railwright/output/words/table.hpp"

namespace railwright::output {

/// "30,056".
std::string grouped(std::int64_t count);
/// "30,056"; three significant digits below 100.
std::string grouped_value(double value);
/// "1 node", "30,056 nodes".
std::string plural(std::int64_t count, std::string_view noun);
/// "12.3"; "0.0" for a value too small to show, never "-0.0".
std::string fixed(double value, int num_decimals);
/// "+12.3"; "0.0" for a value too small to show.
std::string signed_fixed(double value, int num_decimals);
/// "12.3 %" for 0.123.
std::string percent(double share, int num_decimals = 1);
/// "+12.3 %" for 0.123, "0.0 %" for a value too small to show.
std::string signed_percent(double share, int num_decimals = 1);
/// "12,578,184 USD"; cents below a thousand.
std::string money(core::Money sum);
/// Returns a row of blocks, padded with shades up to `length`.
std::string bar(std::size_t num_blocks, std::size_t length = 0);
/// Makes text bold if the terminal has colours; `code` is a parameter of SGR.
std::string strong(const std::string& text, const TextStyle& style, std::string_view code = "1");

}  // namespace railwright::output
