// SPDX-License-Identifier: Apache-2.0
// Filling a PartsList.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/cluster.hpp"

namespace railwright::topologies {

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// Adds to the part of that kind and name; nothing for a count of 0.
void add_part(core::PartsList& parts, std::string_view kind, const std::string& name, int count);

/// Servers and their NICs, and a shortfall where the NICs need more slots than a server has.
void add_servers(core::PartsList& parts, const Cluster& cluster);

/// A shortfall where `needed` exceeds `available`.
void require(core::PartsList& parts, std::string what, int needed, int available);

}  // namespace railwright::topologies
