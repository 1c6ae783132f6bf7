// SPDX-License-Identifier: Apache-2.0
// A cluster that was read and checked, whatever runs on it.
#pragma once

#include <memory>
#include <string>

#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {
class Topology;
}  // namespace railwright::topologies

namespace railwright::simulation {

/// The part of a scenario that describes the cluster, whatever runs on it.
struct CheckedCluster {
  std::string name;
  topologies::Cluster cluster;
  std::shared_ptr<const topologies::Topology> topology;

  static constexpr auto fields();
};

}  // namespace railwright::simulation
