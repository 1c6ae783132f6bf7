// SPDX-License-Identifier: Apache-2.0
// Numbers of a result as text, in the formats of their records.
#pragma once

#include <string>

#include "phrases.hpp"
#include "railwright/simulation/results/result_number.hpp"

namespace railwright::output {

/// "7.32 s", "1.10 TB", "12.3 %".
std::string number_text(double value, simulation::NumberFormat format);
/// Returns the lines of the numbers that belong at the end of this part of a text.
template <class Result>
std::string lines_of(const simulation::Numbers<Result>& numbers, const Result& result,
                     simulation::TextPart part) {
  std::string text;
  for (const simulation::Number<Result>& number : numbers) {
    if (number.text_part != part) continue;
    const simulation::NumberValue value = number.of(result);
    if (value) text += fact(number.line, number_text(value.number(), number.format));
  }
  return text;
}

}  // namespace railwright::output
