// SPDX-License-Identifier: Apache-2.0
// `search` over part of its space.
#pragma once

#include <functional>
#include <string_view>

#include "railwright/planner/search/search.hpp"

namespace railwright::planner {

/// Whether a configuration may be among the best, by its variant and rank order. Called by several
/// threads at once.
using SearchFilter = std::function<bool(std::string_view variant, std::string_view rank_order,
                                        const simulation::Configuration& configuration)>;

/// Searches as search() does, but for configurations that `may_be_best` leaves out.
SearchResult filtered_search(const core::Node& tree, const core::Catalogue& catalogue,
                             const SearchOptions& options, const SearchFilter& may_be_best);

}  // namespace railwright::planner
