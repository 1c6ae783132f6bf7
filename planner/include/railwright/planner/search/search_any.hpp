// SPDX-License-Identifier: Apache-2.0
// `search` for a training job or a service.
#pragma once

#include <variant>

#include "railwright/planner/search/search.hpp"
#include "railwright/planner/search/serving_search.hpp"

namespace railwright::planner {

using AnySearch = std::variant<SearchResult, ServingSearchResult>;

/// Searches as the keys of the scenario tell. Throws ConfigError for kinds without a search.
AnySearch search_any(const core::Node& tree, const core::Catalogue& catalogue,
                     const SearchOptions& options = {});

}  // namespace railwright::planner
