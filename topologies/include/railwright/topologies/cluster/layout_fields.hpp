// SPDX-License-Identifier: Apache-2.0
// The keys of layout.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/topologies/cluster/layout.hpp"

namespace railwright::topologies {

constexpr auto FloorLayout::fields() {
  using core::field;
  using core::optional;
  return core::field_list(field("nodes_per_rack", &FloorLayout::nodes_per_rack, "Nodes in a rack.",
                                core::between(1, 1024), optional),
                          field("racks_per_row", &FloorLayout::racks_per_row,
                                "Racks of nodes in a row.", core::between(1, 65536), optional));
}

}  // namespace railwright::topologies
