// SPDX-License-Identifier: Apache-2.0
// `topology`: parts and bisection bandwidth of a scenario's fabric, whatever runs on it.
#pragma once

#include <string>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/parts_list.hpp"

namespace railwright::simulation {

struct CheckedCluster;

struct TopologyResult {
  std::string name;
  std::string kind;  ///< name of the builder, "rail_optimized"
  core::Fabric fabric;
  core::PartsList parts;
  core::Bandwidth bisection;  ///< reachable by transfers between the halves of the nodes

  [[nodiscard]] bool feasible() const { return parts.shortfalls.empty(); }
};

/// Builds and bills the fabric, even if the cluster does not fit its switches.
TopologyResult topology(const CheckedCluster& checked);

}  // namespace railwright::simulation
