// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/storage/storage.hpp"

namespace railwright::models {

StorageNetwork::StorageNetwork(const core::Fabric& fabric, core::FlowNetwork& network,
                               const core::StorageNode& node)
    : fabric_(fabric),
      storage_vertices_(fabric.vertices_with(core::Role::kStorageNode)),
      read_cost_(1.0 / node.read_rate.value.base()),
      write_cost_(1.0 / node.burst_write_rate.value.base()) {
  disks_.reserve(storage_vertices_.size());
  for (std::size_t i = 0; i < storage_vertices_.size(); ++i)
    disks_.push_back(network.add_link(1.0));
}

std::vector<core::LinkUse> StorageNetwork::write_route(int client, int stream) const {
  const std::size_t node = storage_node_of(stream);
  auto uses = fabric_.spread_route(client_nic(client, stream), storage_vertices_[node]);
  uses.push_back({disks_[node], write_cost_});
  return uses;
}

std::vector<core::LinkUse> StorageNetwork::read_route(int client, int stream) const {
  const std::size_t node = storage_node_of(stream);
  auto uses = fabric_.spread_route(storage_vertices_[node], client_nic(client, stream));
  uses.push_back({disks_[node], read_cost_});
  return uses;
}

std::size_t StorageNetwork::storage_node_of(int stream) const {
  return static_cast<std::size_t>(stream) % disks_.size();
}

core::VertexId StorageNetwork::client_nic(int client, int stream) const {
  const auto nics = fabric_.vertices_with(core::Role::kFrontEndNic, client);
  return nics[static_cast<std::size_t>(stream) % nics.size()];
}

core::Duration sustained_write_time(core::DataSize bytes, const core::StorageNode& node,
                                    int num_nodes) {
  return bytes / (node.write_rate.value * static_cast<double>(num_nodes));
}

}  // namespace railwright::models
