// SPDX-License-Identifier: Apache-2.0
#include "storage_parts.hpp"

#include <fmt/format.h>

#include "../bill/parts.hpp"

namespace railwright::topologies {

void require_cluster_size(core::PartsList& parts, const StorageCluster& storage) {
  require(parts, fmt::format("a cluster of {} {} is too small", storage.count, storage.node.name),
          storage.node.min_nodes.value, storage.count, "storage node");
  require(parts, fmt::format("a cluster of {} {} is too large", storage.count, storage.node.name),
          storage.count, storage.node.max_nodes.value, "storage node");
}

void add_back_end_parts(core::PartsList& parts, const StorageCluster& storage) {
  const int num_ports = storage.count * storage.node.num_back_end_ports.value;
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
