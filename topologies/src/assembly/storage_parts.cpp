// SPDX-License-Identifier: Apache-2.0
#include "storage_parts.hpp"

#include <fmt/format.h>

#include "../bill/parts.hpp"

namespace railwright::topologies {

namespace {

void require_size(core::PartsList& parts, const char* what, const core::StorageNode& node,
                  int count) {
  require(parts, fmt::format("{} of {} {} is too small", what, count, node.name),
          node.min_nodes.value, count, "storage node");
  require(parts, fmt::format("{} of {} {} is too large", what, count, node.name), count,
          node.max_nodes.value, "storage node");
}

}  // namespace

void add_storage_nodes(core::PartsList& parts, const StorageCluster& storage) {
  add_devices(parts, "storage_node", storage.node, storage.count);
  if (!storage.archive) return;
  add_devices(parts, "storage_node", storage.archive->node, storage.archive->count);
}

void require_cluster_size(core::PartsList& parts, const StorageCluster& storage) {
  require_size(parts, "a cluster", storage.node, storage.count);
  if (storage.archive) {
    require_size(parts, "an archive", storage.archive->node, storage.archive->count);
  }
}

void add_back_end_parts(core::PartsList& parts, const StorageCluster& storage) {
  int num_ports = storage.count * storage.node.num_back_end_ports.value;
  if (storage.archive) {
    num_ports += storage.archive->count * storage.archive->node.num_back_end_ports.value;
  }
  if (!storage.back_end_switch || num_ports == 0) return;
  constexpr int kNumSwitches = 2;
  const core::Switch& model = *storage.back_end_switch;
  const int ports_of_a_switch = ceil_div(num_ports, kNumSwitches);
  add_devices(parts, "switch", model, kNumSwitches);
  add_part(parts, "cable", "storage back-end link", num_ports);
  require(parts,
          fmt::format("{} ports on a storage back-end switch; {} has {}", ports_of_a_switch,
                      model.name, model.num_ports.value),
          ports_of_a_switch, model.num_ports.value, "storage node");
}

}  // namespace railwright::topologies
