// SPDX-License-Identifier: Apache-2.0
// Settings of a recipe that nobody stated, in words.
#pragma once

#include <string>

#include "railwright/workloads/training/simulate.hpp"

namespace railwright::output {

/// "software.bucket 80 MB assumed: at 1.5 GB a step takes 190 ms (+3.1 %)".
std::string unstated_words(const simulation::UnstatedSetting& one, core::Duration step_time);
/// Names the first that matters in words and counts the others; empty if none matters.
std::string unstated_summary(const simulation::SimulationResult& result);
/// Returns a labelled line for each that matters, `kMaxUnstatedLines` at most; nothing for none.
std::string unstated_text(const simulation::SimulationResult& result);

inline constexpr std::size_t kMaxUnstatedLines = 6;

}  // namespace railwright::output
