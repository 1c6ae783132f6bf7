// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "railwright/core/units/text.hpp"
#include "units/number.hpp"
#include "units/unit_table.hpp"

namespace railwright::core {

namespace {

/// Multiplies `out` by the unit text "TB", "Gb/s", "USD/kWh", "/h".
bool apply_units(std::string_view units, ParsedQuantity& out, std::string_view& unknown) {
  int power = 1;
  std::string_view rest = units;
  for (bool first = true;; first = false) {
    const std::size_t end = rest.find_first_of("/*");
    const std::string_view name = trimmed(rest.substr(0, end));
    const bool only_divides = first && name.empty() && end != std::string_view::npos;
    if (!only_divides) {
      const Unit* unit = find_unit(name);
      if (unit == nullptr) {
        unknown = name;
        return false;
      }
      const double up = power > 0 ? unit->factor : unit->divisor;
      const double down = power > 0 ? unit->divisor : unit->factor;
      out.base = out.base * up / down;
      for (std::size_t i = 0; i < out.exponents.size(); ++i) {
        out.exponents[i] += power * unit->exponents[i];
      }
    }
    if (end == std::string_view::npos) return true;
    power = rest[end] == '/' ? -1 : 1;
    rest.remove_prefix(end + 1);
  }
}

/// Limits beyond any quantity of a cluster, within which products of several stay finite.
constexpr double kMax = 1e30;
constexpr double kMin = 1e-30;

}  // namespace

std::optional<ParsedQuantity> parse_quantity(std::string_view text, QuantityError& error) {
  const std::string_view whole = trimmed(text);
  std::string_view rest = whole;
  ParsedQuantity result;
  switch (take_number(rest, result.base)) {
    case NumberStatus::kNone:
      error = {fmt::format("'{}': it does not start with a number", whole), ""};
      return std::nullopt;
    case NumberStatus::kNotFinite:
      error = {fmt::format("'{}': the number is not finite", whole), ""};
      return std::nullopt;
    case NumberStatus::kOk:
      break;
  }
  rest = trimmed(rest);
  if (rest.empty()) return result;
  std::string_view unknown;
  if (!apply_units(rest, result, unknown)) {
    if (unknown.empty()) {
      error = {fmt::format("'{}': a unit is missing in '{}'", whole, rest), ""};
    } else {
      error = {fmt::format("'{}': unknown unit '{}'", whole, unknown), unit_hint(unknown, rest)};
    }
    return std::nullopt;
  }
  if (!std::isfinite(result.base)) {
    error = {fmt::format("'{}': the number is not finite", whole), ""};
    return std::nullopt;
  }
  const double size = std::abs(result.base);
  if (size != 0.0 && (size < kMin || size > kMax)) {
    error = {fmt::format("'{}': must be 0 or between {} and {} in SI units", whole, kMin, kMax),
             ""};
    return std::nullopt;
  }
  return result;
}

}  // namespace railwright::core
