// SPDX-License-Identifier: Apache-2.0
// The first lines that a command prints: whether the design fits, the answer and its interval, the
// limit, the memory left, and the change to try next. They are at most eleven on a terminal of 80
// columns, except that every reason why a design does not fit is listed. The program adds a
// twelfth, which says how to see the output of `to_text`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "railwright/output/words/table.hpp"
#include "railwright/planner/compare/compare.hpp"
#include "railwright/planner/compare/services.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/explain/explain.hpp"
#include "railwright/planner/next_change/next_changes.hpp"
#include "railwright/planner/ranges/hangs_on.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/planner/search/serving_search.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/planner/size/sized_scenario.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::output {

/// `changes`: the changes tried to shorten the training; empty if none were requested. `hangs_on`:
/// what its answers hang on, of which the first is named.
std::string verdict(const simulation::SimulationResult& result,
                    const std::optional<planner::ChangesTried>& changes,
                    const TextStyle& style = {}, std::span<const planner::HangsOn> hangs_on = {});
/// `changes`: those tried to shorten the mean of the training times; empty if none were requested.
/// `hangs_on`: what its answers hang on.
std::string verdict(const simulation::JobsResult& result,
                    const std::optional<planner::JobsChangesTried>& changes = {},
                    const TextStyle& style = {}, std::span<const planner::HangsOn> hangs_on = {});
std::string verdict(const simulation::BenchmarkResult& result, const TextStyle& style = {});
std::string verdict(const simulation::QueueResult& result, const TextStyle& style = {});
std::string verdict(const simulation::PostTrainingResult& result, const TextStyle& style = {});
std::string verdict(const simulation::PlainResult& result, const TextStyle& style = {});
/// `changes`: those tried to answer more on an accelerator; empty if none were requested.
std::string verdict(const simulation::InferenceResult& result,
                    const std::optional<planner::ServiceChangesTried>& changes = {},
                    const TextStyle& style = {});
/// Returns the verdict of the result's kind.
std::string verdict(const simulation::AnyResult& result, const planner::AnyChangesTried& changes,
                    const TextStyle& style = {}, std::span<const planner::HangsOn> hangs_on = {});

/// States which design is faster, by how much, and at what price.
std::string verdict(const planner::SideBySide& result, const TextStyle& style = {});
std::string verdict(const planner::ComparisonResult& result, const TextStyle& style = {});
/// States the nodes, days, money and power of the cluster that meets the goals.
std::string verdict(const planner::SizingResult& result, const TextStyle& style = {});
/// States the best configuration, and its gain over the scenario's own.
std::string verdict(const planner::SearchResult& result, const TextStyle& style = {});
/// States the service that needs the fewest nodes, and the need of the first service.
std::string verdict(const planner::ServicesSideBySide& result, const TextStyle& style = {});
/// States the nodes of a service or a queue that does what is wanted, and what a smaller one
/// misses.
std::string verdict(const planner::SizedScenario& result, const TextStyle& style = {});
/// States the best division and batch of a service.
std::string verdict(const planner::ServingSearchResult& result, const TextStyle& style = {});
/// States the bottleneck of the step, and the next one.
std::string verdict(const planner::Explanation& result, const TextStyle& style = {});

}  // namespace railwright::output
