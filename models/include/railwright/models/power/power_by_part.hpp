// SPDX-License-Identifier: Apache-2.0
// Power of a whole cluster by kind of part.
#pragma once

#include "railwright/core/hardware/node_power.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

struct PowerByPart {
  core::NodePowerByPart nodes;
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
PowerByPart power_by_part(const core::PartsList& parts, const core::NodePowerByPart& nodes);

}  // namespace railwright::models
