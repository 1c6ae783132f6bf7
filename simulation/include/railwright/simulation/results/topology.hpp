// SPDX-License-Identifier: Apache-2.0
// `topology`: parts and bisection bandwidth of a scenario's fabric, whatever runs on it.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/parts_list.hpp"

namespace railwright::simulation {

struct CheckedCluster;

/// The fabric of one pool.
struct PoolTopology {
  std::string name;
  std::string kind;  ///< name of the builder, "rail_optimized"
  int num_nodes = 0;
  int num_accelerators = 0;
  core::Bandwidth bisection;
};

struct TopologyResult {
  std::string name;
  std::string kind;                   ///< name of the builder, "rail_optimized"; "pools" of several
  core::Fabric fabric;                ///< the front end alone, of several pools
  std::vector<PoolTopology> pools{};  ///< none if nodes are of one kind
  core::PartsList parts;
  core::Bandwidth bisection;  ///< reachable by transfers between the halves of the nodes

  [[nodiscard]] bool feasible() const { return parts.shortfalls.empty(); }
};

/// Builds and bills the fabric, even if the cluster does not fit its switches.
TopologyResult topology(const CheckedCluster& checked);
/// Builds and bills the fabric of a scenario, or those of its pools with what they share; ignores
/// all keys but its name and its cluster. Throws ConfigError with every problem.
TopologyResult topology(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
