// SPDX-License-Identifier: Apache-2.0
// Answers that hang on a number that is known only within a range, in words.
#pragma once

#include <span>
#include <string>

#include "railwright/planner/ranges/hangs_on.hpp"

namespace railwright::output {

/// "write_rate of powerscale-f710, 2 GB/s to 5 GB/s: 53 to 132 storage nodes; measure it".
std::string hangs_on_words(const planner::HangsOn& one);
/// Returns labelled lines with the command that measures the number, where one does: of a rate of
/// storage nodes; else nothing.
std::string measured_by_text(const planner::HangsOn& one);
/// Returns a labelled line for each, and how to measure the first; nothing for none.
std::string hangs_on_text(std::span<const planner::HangsOn> answers);
/// Returns the command that measures the number, on enough clients at once; empty for a number that
/// is no rate of a storage node.
std::string measured_by(const planner::HangsOn& one);

}  // namespace railwright::output
