// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace railwright::planner {

/// Returns the setting of a number of nodes, as for `--set`.
inline std::string nodes_setting(std::int64_t num_nodes) {
  return "cluster.nodes=" + std::to_string(num_nodes);
}

}  // namespace railwright::planner
