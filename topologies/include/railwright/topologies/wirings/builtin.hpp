// SPDX-License-Identifier: Apache-2.0
// The topologies that come with railwright.
#pragma once

#include "railwright/topologies/topology.hpp"

namespace railwright::core {
template <class Interface>
class Registry;
}  // namespace railwright::core

namespace railwright::topologies {

void register_builtin(core::Registry<Topology>& registry);

}  // namespace railwright::topologies
