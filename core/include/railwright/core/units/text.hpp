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

/// What a text such as "400 Gb/s" says: a value in base units and its dimension.
struct ParsedQuantity {
  double base = 0.0;
  Exponents exponents{};
};

/// What is wrong with a text that is no quantity, e.g. "'400 Gbs': unknown unit 'Gbs'" with the
/// hint "did you mean 'Gb'?".
struct QuantityError {
  std::string message;
  std::string hint;
};

/// Parses "<number> <unit>[/<unit>]", e.g. "400 Gb/s", "0.12 USD/kWh", "3 /h". Bits and bytes, and
/// decimal and binary prefixes, differ: Gb, GB and GiB are three units; a year is 365.25 days.
/// Numbers must be finite. A text without unit is dimensionless.
/// On failure returns nothing and fills `error`.
std::optional<ParsedQuantity> parse_quantity(std::string_view text, QuantityError& error);

/// "time", "data", "data/time", "work/time", ...; "a plain number" for no dimension.
std::string dimension_name(const Exponents& exponents);

/// An example of the unit a dimension is written in: "GB/s" for data/time.
std::string_view example_unit(const Exponents& exponents);

/// Every unit name of a dimension as it may be written, compound ones too: "GB/s", "GiB/min", ...
std::vector<std::string> unit_names(const Exponents& exponents);

/// Three significant digits in the unit that fits the size: "7.32 s", "1.10 TB", "5.30 GB/s";
/// money to the cent below 100 USD, else to the dollar. Infinity is "unlimited".
std::string format_quantity(double base, const Exponents& exponents);

template <class D>
std::string to_text(Quantity<D> quantity) {
  return format_quantity(quantity.base(), exponents_of<D>());
}

/// All digits needed to read the same value back: "3.35e+12 B/s"-like text in base units.
std::string format_exact(double base, const Exponents& exponents);

/// The exact value in the unit that fits ("989.4 TFLOP/s") where that reads back as the same bits,
/// else in base units.
std::string format_faithful(double base, const Exponents& exponents);

}  // namespace railwright::core
