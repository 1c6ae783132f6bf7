// SPDX-License-Identifier: Apache-2.0
// The floor plan of racks, for the lengths of cables.
#pragma once

#include "railwright/core/config/fields.hpp"

namespace railwright::topologies {

/// Nodes fill racks, and racks fill rows, in order. A switch is at the mean position of the devices
/// below it. A cable between racks runs along and across the rows, and up and down once. The
/// defaults are estimates for air-cooled halls.
struct FloorLayout {
  int nodes_per_rack = 4;
  int racks_per_row = 16;
  double rack_pitch_m = 0.6;
  double row_pitch_m = 3.0;
  double in_rack_m = 2.0;
  double between_racks_m = 5.0;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("nodes_per_rack", &FloorLayout::nodes_per_rack, "Nodes in a rack.",
              core::between(1, 1024), optional),
        field("racks_per_row", &FloorLayout::racks_per_row, "Racks of nodes in a row.",
              core::between(1, 65536), optional),
        field("rack_pitch_m", &FloorLayout::rack_pitch_m, "From rack to rack, in metres.",
              core::between(0.1, 100), optional),
        field("row_pitch_m", &FloorLayout::row_pitch_m, "From row to row, in metres.",
              core::between(0.1, 100), optional),
        field("in_rack_m", &FloorLayout::in_rack_m, "A cable within a rack, in metres.",
              core::between(0.1, 100), optional),
        field("between_racks_m", &FloorLayout::between_racks_m,
              "What a cable between racks takes up, down and in slack, in metres.",
              core::between(0, 100), optional));
  }
};

}  // namespace railwright::topologies
