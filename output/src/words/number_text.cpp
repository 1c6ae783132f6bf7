// SPDX-License-Identifier: Apache-2.0
#include "number_text.hpp"

#include <fmt/format.h>

namespace railwright::output {

namespace {

std::string with_commas(std::string digits) {
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace

std::string grouped(std::int64_t count) { return with_commas(fmt::format("{}", count)); }

std::string grouped_value(double value) {
  return value < 100.0 ? fmt::format("{:.3g}", value) : with_commas(fmt::format("{:.0f}", value));
}

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string percent(double share, int num_decimals) {
  return fmt::format("{:.{}f} %", 100.0 * share, num_decimals);
}

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100.0 * share); }

std::string strong(const std::string& text, const TextStyle& style, std::string_view code) {
  return style.color ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

}  // namespace railwright::output
