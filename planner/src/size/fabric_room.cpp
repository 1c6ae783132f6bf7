// SPDX-License-Identifier: Apache-2.0
#include "fabric_room.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "nodes_setting.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

MissingOn missing_of(const core::Node& tree, const core::Catalogue& catalogue) {
  return [&](int num_nodes) {
    const simulation::CheckedCluster made = simulation::read_cluster(
        simulation::with_settings(tree, {nodes_setting(num_nodes)}), catalogue);
    const auto shortfalls = made.topology->build(made.cluster).parts.shortfalls;
    return shortfalls.empty() ? std::string() : shortfalls.front().what;
  };
}

std::string beyond_fabric(std::int64_t needed, const MissingOn& missing) {
  const auto asked = static_cast<int>(std::min<std::int64_t>(needed, kMaxNodes));
  // From few nodes up, since building all that is asked for may take seconds.
  int high = 1;
  while (high < asked && missing(high).empty()) high = std::min(high * 2, asked);
  if (missing(high).empty()) {
    if (needed <= kMaxNodes) return "";
    return fmt::format("{} nodes are needed, {} more than the {} that a cluster has at most",
                       needed, needed - kMaxNodes, kMaxNodes);
  }
  const int most = most_nodes_of_fabric(high, missing);
  return fmt::format("{} nodes are needed, {} more than the {} that the fabric takes: {}", needed,
                     needed - most, most, missing(most + 1));
}

}  // namespace railwright::planner
