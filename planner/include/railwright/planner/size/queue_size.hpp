// SPDX-License-Identifier: Apache-2.0
// `size` for a queue of jobs: a wait in, nodes out.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/queue/queue.hpp"

namespace railwright::planner {

/// The nodes with which jobs wait no longer than is wanted, and why one fewer does not do.
struct SizedQueue {
  std::vector<std::string> settings;  ///< as for `--set`
  core::Node scenario;                ///< with these settings
  simulation::QueueResult result;     ///< of it
  std::string smaller;                ///< what one node less misses; empty for one node

  [[nodiscard]] bool feasible() const { return result.feasible(); }
};

/// Finds a number of nodes with which `queue.max_wait` holds and without one of which it does not,
/// whatever `cluster.nodes` says: upwards from what all jobs take if none waits, then by halves.
/// More nodes rarely make jobs wait longer, so that it is the least, or nearly. Throws ConfigError
/// if no wait is wanted, and core::Interrupted.
SizedQueue size_queue(const core::Node& tree, const core::Catalogue& catalogue,
                      const SizeOptions& options = {});

}  // namespace railwright::planner
