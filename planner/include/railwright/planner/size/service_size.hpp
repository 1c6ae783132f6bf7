// SPDX-License-Identifier: Apache-2.0
// `size` for a service: a load and its latencies in, nodes out.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/serving/serving.hpp"

namespace railwright::planner {

/// The fewest nodes that carry the load, and why fewer do not.
struct SizedService {
  std::vector<std::string> settings;   ///< nodes, division and batch, as for `--set`
  core::Node scenario;                 ///< with these settings
  simulation::InferenceResult result;  ///< of it; what is missing if no service keeps the latencies
  std::string smaller;                 ///< what a smaller service misses; empty if there is none

  [[nodiscard]] bool feasible() const { return result.feasible(); }
};

/// Tries all divisions and batches, as search_service() does, on as many nodes as they need,
/// whatever `cluster.nodes` says. Throws ConfigError if no load is wanted.
SizedService size_service(const core::Node& tree, const core::Catalogue& catalogue,
                          const SizeOptions& options = {});

}  // namespace railwright::planner
