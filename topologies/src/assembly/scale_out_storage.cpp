// SPDX-License-Identifier: Apache-2.0
#include "scale_out_storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../bill/parts.hpp"
#include "storage_parts.hpp"

namespace railwright::topologies {

namespace {

/// Orders the leaves by their index within a plane, then by plane.
std::vector<PlacedSwitch*> leaves_in_turn(std::span<PlacedSwitch> switches, int num_planes) {
  std::vector<PlacedSwitch*> by_plane;
  for (PlacedSwitch& placed : switches) {
    if (placed.level == Level::kLeaf) by_plane.push_back(&placed);
  }
  const auto planes = static_cast<std::size_t>(num_planes);
  std::vector<PlacedSwitch*> leaves;
  for (std::size_t i = 0; i < by_plane.size(); ++i) {
    leaves.push_back(by_plane[i % planes * (by_plane.size() / planes) + i / planes]);
  }
  return leaves;
}

class LeafDealer {
 public:
  explicit LeafDealer(std::vector<PlacedSwitch*> leaves) : leaves_(std::move(leaves)) {}

  [[nodiscard]] const std::vector<PlacedSwitch*>& leaves() const { return leaves_; }

  std::size_t next() {
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const std::size_t at = (next_ + i) % leaves_.size();
      if (leaves_[at]->ports_used() >= leaves_[at]->model->num_ports.value) continue;
      next_ = at + 1;
      return at;
    }
    return next_++ % leaves_.size();
  }

 private:
  std::vector<PlacedSwitch*> leaves_;
  std::size_t next_ = 0;
};

}  // namespace

void add_storage_on_leaves(BuiltCluster& built, const StorageCluster& storage,
                           std::span<PlacedSwitch> switches, int num_planes) {
  const core::StorageNode& device = storage.node;
  const int num_ports = device.num_front_end_ports.value;
  LeafDealer dealer(leaves_in_turn(switches, num_planes));
  for (int i = 0; i < storage.count; ++i) {
    const core::VertexId vertex = built.fabric.add_vertex(
        {core::Role::kStorageNode, i, i, fmt::format("storage node {}", i)});
    std::vector<int> cables(dealer.leaves().size());
    for (int p = 0; p < num_ports; ++p) {
      const std::size_t at = dealer.next();
      ++cables[at];
      ++dealer.leaves()[at]->ports_down;
      ++dealer.leaves()[at]->ports_of_storage;
    }
    for (std::size_t at = 0; at < cables.size(); ++at) {
      if (cables[at] == 0) continue;
      PlacedSwitch& leaf = *dealer.leaves()[at];
      const core::Bandwidth line =
          std::min(device.front_end_port_rate.value, leaf.model->port_rate.value) * cables[at];
      built.fabric.add_link({vertex, leaf.vertex, core::Tier::kStorage,
                             line * device.front_end_efficiency.value,
                             leaf.model->latency.value / 2.0, cables[at], line});
      leaf.down += line;
    }
  }
  add_storage_nodes(built.parts, storage);
  add_part(built.parts, "cable", "storage link", storage.count * num_ports);
  require_cluster_size(built.parts, storage);
  add_back_end_parts(built.parts, storage);
}

}  // namespace railwright::topologies
