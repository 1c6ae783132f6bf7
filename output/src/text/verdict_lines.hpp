// SPDX-License-Identifier: Apache-2.0
// Lines that several kinds of verdicts share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/output/words/table.hpp"
#include "railwright/simulation/scenario/provenance.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::output {

/// Lines of a verdict on a terminal of 80 columns; the program adds one that points to the rest.
inline constexpr std::size_t kMaxVerdictLines = 13;

/// Returns the name in at most `num_lines` lines.
std::string title(const std::string& name, std::size_t num_lines, const TextStyle& style);
/// States that a design fits; `what` is the design.
std::string fits_text(const std::string& what, const TextStyle& style);
/// Returns the name of a design that does not fit, and each reason on a line of its own.
std::string unfit_head(const std::string& name, const std::vector<std::string>& reasons,
                       const TextStyle& style);
/// "████░░░░░░  38.6 GiB of 79.6 GiB on an accelerator".
std::string memory_bar(core::DataSize used, core::DataSize capacity);
/// Adds, of a training, whether it may not fit by how far published readings lie above what
/// is computed for them.
std::string memory_bar(core::DataSize used, core::DataSize capacity,
                       const std::optional<simulation::Basis>& basis);
/// "███░░░░░░░  63.2 TB of 184 TB".
std::string space_used(core::DataSize used, core::DataSize capacity);
/// "matrix products 60.9 %, attention 18.6 %".
std::string largest_causes(const simulation::Breakdown& breakdown, int num_decimals);
/// Counts the lines that text takes on a terminal of 80 columns.
std::size_t num_lines(const std::string& text);
/// Cuts text to `num_lines` lines after a label on that terminal; a longer text ends at a word,
/// with an ellipsis.
std::string in_lines(const std::string& text, std::size_t num_lines);
/// States on how many accelerators no change is tried unasked, and how to ask.
std::string changes_not_tried();

}  // namespace railwright::output
