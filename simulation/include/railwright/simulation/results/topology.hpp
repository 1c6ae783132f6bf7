// SPDX-License-Identifier: Apache-2.0
// `topology`: what a scenario's fabric consists of and how wide it is, whatever runs on it.
#pragma once

#include <string>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

struct TopologyResult {
  std::string name;
  std::string kind;  ///< name of the builder, "rail_optimized"
  core::Fabric fabric;
  core::PartsList parts;
  core::Bandwidth bisection;  ///< what transfers between the halves of the nodes can reach

  [[nodiscard]] bool feasible() const { return parts.shortfalls.empty(); }
};

/// A cluster that does not fit its switches is built and billed all the same.
TopologyResult topology(const CheckedCluster& checked);

}  // namespace railwright::simulation
