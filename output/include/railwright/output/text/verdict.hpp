// SPDX-License-Identifier: Apache-2.0
// The first lines of what a verb prints: whether it fits, the answer and how sure it is, what
// limits it, the memory left, and what to try next. At most eleven on a terminal of 80 columns, but
// for the reasons why a design does not fit, which are all there; the twelfth is the program's, and
// says how to see the rest, which `to_text` has.
#pragma once

#include <optional>
#include <string>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/compare/compare.hpp"
#include "railwright/planner/compare/services.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/explain/explain.hpp"
#include "railwright/planner/next_change/next_change.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/planner/search/serving_search.hpp"
#include "railwright/planner/size/size.hpp"
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

/// Which design is faster, by how much, and at what price.
std::string verdict(const planner::SideBySide& result, const TextStyle& style = {});
std::string verdict(const planner::ComparisonResult& result, const TextStyle& style = {});
/// Nodes, days, money and power of the cluster that meets the goals.
std::string verdict(const planner::SizingResult& result, const TextStyle& style = {});
/// The best configuration, and its gain over the scenario's own.
std::string verdict(const planner::SearchResult& result, const TextStyle& style = {});
/// The service that needs fewest nodes, and what the first needs.
std::string verdict(const planner::ServicesSideBySide& result, const TextStyle& style = {});
/// The best division and batch of a service.
std::string verdict(const planner::ServingSearchResult& result, const TextStyle& style = {});
/// What limits the step, and what limits it next.
std::string verdict(const planner::Explanation& result, const TextStyle& style = {});

}  // namespace railwright::output
