// SPDX-License-Identifier: Apache-2.0
#include "units/number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace railwright::core {

namespace {

bool starts_number(std::string_view text) {
  return !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
}

}  // namespace

NumberStatus take_number(std::string_view& text, double& out) {
  std::string_view rest = text;
  if (rest.starts_with('+') && starts_number(rest.substr(1))) rest.remove_prefix(1);
  if (rest.starts_with(".inf") || rest.starts_with(".nan") || rest.starts_with("-.inf")) {
    return NumberStatus::kNotFinite;
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error == std::errc::result_out_of_range) return NumberStatus::kNotFinite;
  if (error != std::errc{}) return NumberStatus::kNone;
  if (!std::isfinite(value)) return NumberStatus::kNotFinite;
  out = value;
  text = rest.substr(static_cast<std::size_t>(end - rest.data()));
  return NumberStatus::kOk;
}

std::string shortest(double value) {
  std::array<char, 40> buffer{};
  const double size = std::abs(value);
  const bool plain = size == 0.0 || (size >= 1e-4 && size < 1e15);
  const auto result = plain ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::fixed)
                            : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace railwright::core
