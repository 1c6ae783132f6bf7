// SPDX-License-Identifier: Apache-2.0
// The units that railwright reads, and hints for misspelt ones.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "railwright/core/units/text.hpp"

namespace railwright::core {

struct Unit {
  std::string_view name;
  double factor;  ///< to base units, times 1/divisor
  Exponents exponents;
  double divisor = 1.0;  ///< makes 20 us the double nearest to 20e-6
};

const Unit* find_unit(std::string_view name);

/// Suggests "did you mean 'Gb/s' or 'GB/s'?" for the word `unit` of the unit text `whole`, or "".
std::string unit_hint(std::string_view unit, std::string_view whole);

}  // namespace railwright::core
