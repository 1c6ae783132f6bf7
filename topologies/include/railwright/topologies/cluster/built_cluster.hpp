// SPDX-License-Identifier: Apache-2.0
// A fabric with its parts list.
#pragma once

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/parts_list.hpp"

namespace railwright::topologies {

/// A built cluster. One that does not fit its switches is built too: `parts` names the shortfalls.
struct BuiltCluster {
  core::Fabric fabric;
  core::PartsList parts;
};

}  // namespace railwright::topologies
