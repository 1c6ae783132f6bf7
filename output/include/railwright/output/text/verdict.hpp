// SPDX-License-Identifier: Apache-2.0
// The first lines of what `simulate` prints: whether it fits, the answer and how sure it is, what
// limits it, the memory left, and what to try next. At most twelve on a terminal of 80 columns, but
// for the reasons why a design does not fit, which are all there. `to_text` has the rest.
#pragma once

#include <optional>
#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/next_change/next_change.hpp"
#include "railwright/simulation/simulate_any.hpp"

namespace railwright::output {

/// `changes`: what was tried to shorten the step; nothing where nobody asked.
std::string verdict(const simulation::SimulationResult& result,
                    const std::optional<planner::ChangesTried>& changes,
                    const TextStyle& style = {});
std::string verdict(const simulation::JobsResult& result, const TextStyle& style = {});
std::string verdict(const simulation::BenchmarkResult& result, const TextStyle& style = {});
std::string verdict(const simulation::InferenceResult& result, const TextStyle& style = {});
/// Of whichever it is.
std::string verdict(const simulation::AnyResult& result,
                    const std::optional<planner::ChangesTried>& changes,
                    const TextStyle& style = {});

}  // namespace railwright::output
