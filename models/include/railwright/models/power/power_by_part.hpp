// SPDX-License-Identifier: Apache-2.0
// Power of a whole cluster by kind of part.
#pragma once

#include "railwright/core/parts_list.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/power/node_power_by_part.hpp"

namespace railwright::models {

struct PowerByPart {
  NodePowerByPart nodes;
  core::Power switches;
  core::Power transceivers;  ///< including active cables
  core::Power storage_nodes;
  core::Power cpu_nodes;

  /// Sum of all, as the meters of the equipment show it.
  [[nodiscard]] core::Power equipment() const {
    return nodes.total() + switches + transceivers + storage_nodes + cpu_nodes;
  }
};

/// Computes the power of each kind. All except nodes draw what their descriptions say, whatever the
/// job does.
PowerByPart power_by_part(const core::PartsList& parts, const NodePowerByPart& nodes);

/// Gives the nodes of `parts` their power while they compute: a topology knows none.
void add_node_power(const core::ComputeNode& node, core::PartsList& parts);

}  // namespace railwright::models
