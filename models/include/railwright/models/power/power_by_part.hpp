// SPDX-License-Identifier: Apache-2.0
// Power of a whole cluster by what draws it.
#pragma once

#include "railwright/core/parts_list.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

struct PowerByPart {
  core::Power nodes;  ///< with their NICs
  core::Power switches;
  core::Power transceivers;  ///< and active cables
  core::Power storage_nodes;
  core::Power cpu_nodes;

  /// All of them, which is what the meters of the equipment show.
  [[nodiscard]] core::Power equipment() const {
    return nodes + switches + transceivers + storage_nodes + cpu_nodes;
  }
};

/// All but nodes draw what their descriptions say, whatever the job does.
PowerByPart power_by_part(const core::PartsList& parts, core::Power nodes);

}  // namespace railwright::models
