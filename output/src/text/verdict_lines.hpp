// SPDX-License-Identifier: Apache-2.0
// Lines that verdicts of several kinds have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/output/words/table.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::output {

/// The name, and whether the design fits.
std::string verdict_head(const std::string& name, const std::string& fits, const TextStyle& style);
/// The same of one that does not, with each reason on a line of its own.
std::string unfit_head(const std::string& name, const std::vector<std::string>& reasons,
                       const TextStyle& style);
/// "██████░░░░░░░░░░░░░░  41.4 GB of 85.5 GB, 44.1 GB left".
std::string space_left(core::DataSize used, core::DataSize capacity);
/// "matrix products 60.9 %, attention 18.6 %".
std::string largest_causes(const simulation::Breakdown& breakdown, int num_decimals);
/// At most two lines of a terminal of 80 columns behind a label; a longer text ends at a word.
std::string in_two_lines(const std::string& text);

}  // namespace railwright::output
