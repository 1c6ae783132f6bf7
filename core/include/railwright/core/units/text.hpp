// SPDX-License-Identifier: Apache-2.0
// Reading and writing quantities as text: "400 Gb/s", "7.32 s", "1.10 TB".
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// Exponents in the order time, data, work, energy, money.
using Exponents = std::array<int, 5>;

template <class D>
constexpr Exponents exponents_of() {
  return {D::kTime, D::kData, D::kWork, D::kEnergy, D::kMoney};
}

/// The value of a text such as "400 Gb/s" in base units, and its dimension.
struct ParsedQuantity {
  double base = 0.0;
  Exponents exponents{};
};

/// The error of a text that is no quantity, e.g. "'400 Gbs': unknown unit 'Gbs'" with the hint "did
/// you mean 'Gb'?".
struct QuantityError {
  std::string message;
  std::string hint;
};

/// Parses "<number> <unit>[/<unit>]", e.g. "400 Gb/s", "0.12 USD/kWh", "3 /h". Gb, GB and GiB are
/// three units; a year is 365.25 days. Numbers must be finite. A text without unit is
/// dimensionless. On failure returns nullopt and fills `error`.
std::optional<ParsedQuantity> parse_quantity(std::string_view text, QuantityError& error);

/// Names a dimension: "time", "data", "data/time", "work/time", ...; "a plain number" for none.
std::string dimension_name(const Exponents& exponents);

/// Returns an example of a unit of the dimension: "GB/s" for data/time.
std::string_view example_unit(const Exponents& exponents);

/// Returns every valid unit name of a dimension, compound ones too: "GB/s", "GiB/min", ...
std::vector<std::string> unit_names(const Exponents& exponents);

/// Formats three significant digits in the unit that fits the size: "7.32 s", "1.10 TB", "5.30
/// GB/s"; money to the cent below 100 USD, else to the dollar. Infinity is "unlimited".
std::string format_quantity(double base, const Exponents& exponents);

template <class D>
std::string to_text(Quantity<D> quantity) {
  return format_quantity(quantity.base(), exponents_of<D>());
}

/// Formats an interval in the unit of its lower end, "28.9 to 42.2 min"; ends that lie far apart
/// keep their own units.
std::string format_range(double low, double high, const Exponents& exponents);

template <class D>
std::string range_text(Quantity<D> low, Quantity<D> high) {
  return format_range(low.base(), high.base(), exponents_of<D>());
}

/// Formats memory of a device in binary units, as cards are sold: an H100 of 80 GB has "79.6 GiB".
std::string memory_text(DataSize size);

/// Formats all digits needed to read the same value back, in base units: "3.35e+12 B/s".
std::string format_exact(double base, const Exponents& exponents);

/// Formats the exact value in the unit that fits ("989.4 TFLOP/s") if that reads back as the same
/// bits, else in base units.
std::string format_faithful(double base, const Exponents& exponents);

}  // namespace railwright::core
