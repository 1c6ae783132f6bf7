// SPDX-License-Identifier: Apache-2.0
// Helpers that fill a PartsList.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

using core::ceil_div;

/// Adds to the part with the same kind and name; does nothing for a count of 0.
void add_part(core::PartsList& parts, core::Part part);
void add_part(core::PartsList& parts, std::string_view kind, std::string_view name, int count);

/// Adds devices with a height and a power of their own.
template <class Device>
void add_devices(core::PartsList& parts, std::string_view kind, const Device& device, int count) {
  add_part(parts, {.kind = std::string(kind),
                   .name = device.name,
                   .count = count,
                   .rack_units = count * device.rack_units.value,
                   .power = device.power.value * count});
}

/// Adds nodes and their NICs, and a shortfall if the NICs need more slots than a node has.
void add_nodes(core::PartsList& parts, const Cluster& cluster);

/// Adds a shortfall of a tier if `needed` exceeds `available`.
void require(core::PartsList& parts, std::string what, int needed, int available,
             std::string_view tier = "leaf");

}  // namespace railwright::topologies
