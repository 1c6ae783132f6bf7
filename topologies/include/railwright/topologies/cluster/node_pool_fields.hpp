// SPDX-License-Identifier: Apache-2.0
// The keys of node_pool.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"
#include "railwright/topologies/cluster/node_pool.hpp"

namespace railwright::topologies {

constexpr auto NodePool::fields() {
  using core::field;
  return core::field_list(
      field("name", &NodePool::name, "A name of your own, by which jobs say where they run."),
      field("nodes", &NodePool::num_nodes, "Nodes of the pool.", core::between(1, 65536)),
      field("node", &NodePool::node, "The node, by catalogue name."),
      field("fabric", &NodePool::fabric, "The scale-out fabric of the pool's nodes."));
}

constexpr auto PooledCluster::fields() {
  return [](auto&& visit) {
    Cluster::fields()([&](auto field) {
      // A pool has its own: pools_of() says what is missing.
      if (field.name == "nodes" || field.name == "node" || field.name == "fabric") {
        field.required = false;
      }
      visit(field);
    });
    visit(core::field("pools", &PooledCluster::pools,
                      "Nodes of several kinds, each kind with a fabric of its own, in place of "
                      "nodes, node and fabric. They share the rest, storage above all."));
    visit(core::field("between_pools", &PooledCluster::between_pools,
                      "Bandwidth between the fabrics of two pools, one direction, all links "
                      "together, for a job that runs on both.",
                      core::positive));
  };
}

}  // namespace railwright::topologies
