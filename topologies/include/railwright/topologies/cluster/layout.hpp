// SPDX-License-Identifier: Apache-2.0
// The floor plan of racks, for the lengths of cables.
#pragma once

#include "railwright/core/config/fields.hpp"

namespace railwright::topologies {

/// Nodes fill racks, and racks fill rows, in order. A switch is at the mean position of the devices
/// below it. A cable between racks runs along and across the rows, and up and down once. The
/// default counts are estimates for air-cooled halls.
struct FloorLayout {
  int nodes_per_rack = 4;
  int racks_per_row = 16;

  static constexpr auto fields();
};

}  // namespace railwright::topologies
