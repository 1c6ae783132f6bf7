// SPDX-License-Identifier: Apache-2.0
#include "number_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "railwright/core/units/text.hpp"

namespace railwright::output {

namespace {

std::string with_commas(std::string digits) {
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

/// Removes the sign of a number whose digits are all 0.
std::string without_signed_zero(std::string text) {
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  if (is_zero && (text.front() == '-' || text.front() == '+')) text.erase(0, 1);
  return text;
}

}  // namespace

std::string fixed(double value, int num_decimals) {
  return without_signed_zero(fmt::format("{:.{}f}", value, num_decimals));
}

std::string signed_fixed(double value, int num_decimals) {
  return without_signed_zero(fmt::format("{:+.{}f}", value, num_decimals));
}

std::string grouped(std::int64_t count) {
  return count < 0 ? "-" + grouped(-count) : with_commas(fmt::format("{}", count));
}

std::string grouped_value(double value) {
  return value < 100.0 ? fmt::format("{:.3g}", value) : with_commas(fmt::format("{:.0f}", value));
}

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string percent(double share, int num_decimals) {
  return fixed(100.0 * share, num_decimals) + " %";
}

std::string signed_percent(double share, int num_decimals) {
  return signed_fixed(100.0 * share, num_decimals) + " %";
}

std::string money(core::Money sum) {
  constexpr double kGrouped = 1000.0;
  if (std::abs(sum.base()) < kGrouped) return core::to_text(sum);
  return grouped(std::llround(sum.base())) + " USD";
}

std::string bar(std::size_t num_blocks, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < num_blocks; ++i) text += "\u2588";
  for (std::size_t i = num_blocks; i < length; ++i) text += "\u2591";
  return text;
}

std::string strong(const std::string& text, const TextStyle& style, std::string_view code) {
  return style.color ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

}  // namespace railwright::output
