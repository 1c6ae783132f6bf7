// SPDX-License-Identifier: Apache-2.0
// Power of a whole cluster by kind of part.
#pragma once

#include "railwright/core/parts_list.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

struct PowerByPart {
  core::Power nodes;  ///< including their NICs
  core::Power switches;
  core::Power transceivers;  ///< including active cables
  core::Power storage_nodes;
  core::Power cpu_nodes;

  /// Sum of all, as the meters of the equipment show it.
  [[nodiscard]] core::Power equipment() const {
    return nodes + switches + transceivers + storage_nodes + cpu_nodes;
  }
};

/// Computes the power of each kind. All except nodes draw what their descriptions say, whatever the
/// job does.
PowerByPart power_by_part(const core::PartsList& parts, core::Power nodes);

}  // namespace railwright::models
