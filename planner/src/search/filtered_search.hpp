// SPDX-License-Identifier: Apache-2.0
// `search` over part of its space.
#pragma once

#include <functional>
#include <string_view>

#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"

namespace railwright::planner {

/// Whether a configuration may be among the best, by its variant and rank order. Called by several
/// threads at once.
using SearchFilter = std::function<bool(std::string_view variant, std::string_view rank_order,
                                        const simulation::Configuration& configuration)>;

/// Searches as search() does, but for configurations that `may_be_best` leaves out.
SearchResult filtered_search(const simulation::ScenarioSource& source, const SearchOptions& options,
                             const SearchFilter& may_be_best);

/// Returns the source with the variant, the rank order and the configuration of an entry.
simulation::ScenarioSource source_of(const simulation::ScenarioSource& source,
                                     const SearchEntry& entry);

}  // namespace railwright::planner
