// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/search/search_any.hpp"

#include "railwright/workloads/kinds.hpp"

namespace railwright::planner {

AnySearch search_any(const core::Node& tree, const core::Catalogue& catalogue,
                     const SearchOptions& options) {
  if (simulation::describes(tree, "inference")) return search_service(tree, catalogue, options);
  return search(tree, catalogue, options);
}

}  // namespace railwright::planner
