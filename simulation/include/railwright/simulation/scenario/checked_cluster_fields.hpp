// SPDX-License-Identifier: Apache-2.0
// The keys of checked_cluster.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"

namespace railwright::simulation {

constexpr auto CheckedCluster::fields() {
  return core::field_list(
      core::field("name", &CheckedCluster::name, "The scenario in a few words."),
      core::field("cluster", &CheckedCluster::cluster, "Nodes, fabric and storage."));
}

}  // namespace railwright::simulation
