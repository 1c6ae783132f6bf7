// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/assembly/front_end_plan.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/core/arithmetic.hpp"

namespace railwright::topologies {

namespace {

/// Ports that a front end has for devices, and the rate that they could carry together.
struct FrontEndPorts {
  int count = 0;
  core::Bandwidth rate;
};

FrontEndPorts ports_of(const core::NicSet& front_end, int num_nodes, const core::Switch& model) {
  const int count = num_nodes * front_end.count * front_end.nic.num_ports;
  return {.count = count,
          .rate = std::min(front_end.nic.line_rate.value, model.port_rate.value) *
                  static_cast<double>(count)};
}

}  // namespace

FrontEndPlan front_end_plan(const Cluster& cluster) {
  constexpr int kMinSpines = 2;  // one that fails takes no node off storage
  const StorageCluster& storage = *cluster.storage;
  if (storage.wiring == FrontEndWiring::kJoined) {
    return {.num_leaves = storage.num_switches, .num_spines = 0, .peer_links = storage.peer_links};
  }
  const core::Switch& model = *storage.front_end_switch;
  const FrontEndPorts nodes = ports_of(cluster.node.front_end, cluster.num_nodes, model);
  const int storage_ports = storage.count * storage.node.num_front_end_ports.value;
  const core::Bandwidth storage_rate =
      std::min(storage.node.front_end_port_rate.value, model.port_rate.value) *
      static_cast<double>(storage_ports);
  int others = 0;
  for (const auto* group : {&cluster.control_plane, &cluster.data_preparation}) {
    if (*group) others += ports_of((*group)->node.front_end, (*group)->count, model).count;
  }
  const int radix = model.num_ports.value;
  FrontEndPlan plan{.num_leaves = kMinSpines, .num_spines = kMinSpines, .peer_links = 1};
  for (;; ++plan.num_leaves) {
    const int leaves = plan.num_leaves;
    const double uplinks = std::min(nodes.rate, storage_rate) / model.port_rate.value / leaves;
    plan.num_spines = std::max(kMinSpines, static_cast<int>(std::ceil(uplinks - 1e-9)));
    const int below =
        core::ceil_div(nodes.count, leaves) + core::ceil_div(storage_ports + others, leaves);
    if (below + plan.num_spines <= radix || leaves >= radix) return plan;
  }
}

}  // namespace railwright::topologies
