// SPDX-License-Identifier: Apache-2.0
// Numbers of a result for people, as their records say.
#pragma once

#include <string>

#include "railwright/simulation/results/result_number.hpp"

namespace railwright::output {

/// "7.32 s", "1.10 TB", "12.3 %".
std::string number_text(double value, simulation::NumberFormat format);
/// Numbers that have a line of their own at the end of this part of a text.
std::string lines_of(const simulation::NumberSource& source, simulation::TextPart part);

}  // namespace railwright::output
