// SPDX-License-Identifier: Apache-2.0
// A scale-out storage cluster as links of the flow network its clients share.
#pragma once

#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/hardware/storage_node.hpp"

namespace railwright::models {

/// Adds one link a storage node to a network made from the fabric. Each has capacity 1: a byte read
/// takes 1/read_rate of it, a byte written 1/burst_write_rate, so that reads and writes share the
/// node. Clients reach a node through their front-end NIC and the front-end switches.
class StorageNetwork {
 public:
  StorageNetwork(const core::Fabric& fabric, core::FlowNetwork& network,
                 const core::StorageNode& node);

  [[nodiscard]] int num_nodes() const { return static_cast<int>(disks_.size()); }
  /// What a stream of node `client` puts on each link; streams are dealt over the client's
  /// front-end NICs and the storage nodes in turn.
  [[nodiscard]] std::vector<core::LinkUse> write_route(int client, int stream) const;
  [[nodiscard]] std::vector<core::LinkUse> read_route(int client, int stream) const;

 private:
  [[nodiscard]] std::size_t storage_node_of(int stream) const;
  [[nodiscard]] core::VertexId client_nic(int client, int stream) const;

  const core::Fabric& fabric_;
  std::vector<core::VertexId> storage_vertices_;
  std::vector<core::LinkId> disks_;
  double read_cost_;
  double write_cost_;
};

/// Time to write `bytes` at the rate the cluster can hold without end: no burst is sustained
/// longer.
core::Duration sustained_write_time(core::DataSize bytes, const core::StorageNode& node,
                                    int num_nodes);

}  // namespace railwright::models
