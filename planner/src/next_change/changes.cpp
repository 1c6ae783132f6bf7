// SPDX-License-Identifier: Apache-2.0
#include "changes.hpp"

#include <fmt/format.h>

namespace railwright::planner {

std::vector<simulation::Change> changes_of_nics(const simulation::Scenario& scenario) {
  const topologies::Cluster& cluster = scenario.cluster;
  const int num_nics = 2 * cluster.node.nics.count;
  if (cluster.num_nodes == 1 || num_nics > cluster.node.num_accelerators.value) return {};
  return {{fmt::format("cluster.node.nics.count={}", num_nics),
           [num_nics](simulation::Scenario& s) { s.cluster.node.nics.count = num_nics; }}};
}

}  // namespace railwright::planner
