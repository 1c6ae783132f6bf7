// SPDX-License-Identifier: Apache-2.0
// Numbers of a result as text, in the formats of their records.
#pragma once

#include <string>

#include "railwright/simulation/results/result_number.hpp"

namespace railwright::output {

/// "7.32 s", "1.10 TB", "12.3 %".
std::string number_text(double value, simulation::NumberFormat format);
/// Returns the lines of the numbers that belong at the end of this part of a text.
std::string lines_of(const simulation::NumberSource& source, simulation::TextPart part);

}  // namespace railwright::output
