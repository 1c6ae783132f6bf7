// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "railwright/simulation/scenario/scenario_source.hpp"

namespace railwright::planner {

/// Returns the setting of a number of nodes, as for `--set`.
inline std::string nodes_setting(std::int64_t num_nodes) {
  return "cluster.nodes=" + std::to_string(num_nodes);
}
/// Returns the change of a job to so many nodes.
inline simulation::Change nodes_change(int num_nodes) {
  return {nodes_setting(num_nodes),
          [num_nodes](simulation::Scenario& s) { s.cluster.num_nodes = num_nodes; }};
}

}  // namespace railwright::planner
