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

FrontEndPorts ports_of(std::span<const PluggedNodes> plugged, const core::Switch& model) {
  FrontEndPorts all;
  for (const PluggedNodes& of_kind : plugged) {
    const int count = of_kind.num_ports();
    all.count += count;
    all.rate += std::min(of_kind.front_end->nic.line_rate.value, model.port_rate.value) *
                static_cast<double>(count);
  }
  return all;
}

}  // namespace

FrontEndPlan front_end_plan(const Cluster& cluster, std::span<const PluggedNodes> plugged) {
  constexpr int kMinSpines = 2;  // one that fails takes no node off storage
  const StorageCluster& storage = *cluster.storage;
  if (storage.wiring == FrontEndWiring::kJoined) {
    return {.num_leaves = storage.num_switches, .num_spines = 0, .peer_links = storage.peer_links};
  }
  const core::Switch& model = *storage.front_end_switch;
  const FrontEndPorts nodes = ports_of(plugged, model);
  const int storage_ports = storage.count * storage.node.num_front_end_ports.value;
  const core::Bandwidth storage_rate =
      std::min(storage.node.front_end_port_rate.value, model.port_rate.value) *
      static_cast<double>(storage_ports);
  int others = 0;
  for (const auto* group : {&cluster.control_plane, &cluster.data_preparation}) {
    if (!*group) continue;
    const core::NicSet& front_end = (*group)->node.front_end;
    others += (*group)->count * front_end.count * front_end.nic.num_ports;
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
