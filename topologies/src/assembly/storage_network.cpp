// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/assembly/storage_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "../bill/parts.hpp"
#include "railwright/core/error.hpp"
#include "railwright/topologies/assembly/front_end_plan.hpp"
#include "storage_parts.hpp"

namespace railwright::topologies {

namespace {

using core::Role;
using core::Tier;
using core::VertexId;

/// Deals ports over switches in turn and counts the ports used on each switch.
class SwitchDealer {
 public:
  SwitchDealer(core::Fabric& fabric, const StorageCluster& storage, const FrontEndPlan& plan)
      : fabric_(fabric), storage_(storage), plan_(plan) {
    for (int s = 0; s < plan.num_leaves; ++s) {
      switches_.push_back(
          fabric.add_vertex({Role::kFrontEndSwitch, -1, s, fmt::format("front-end switch {}", s)}));
    }
    for (int s = 0; s < plan.num_spines; ++s) {
      spines_.push_back(fabric.add_vertex({Role::kFrontEndSwitch, -1, plan.num_leaves + s,
                                           fmt::format("front-end spine {}", s), 1}));
    }
    ports_.resize(switches_.size());
  }

  /// Cables `num_ports` ports of a device; transfers reach `efficiency` of their rate. Ports on the
  /// same switch form one link.
  void deal(VertexId device, int num_ports, Tier tier, core::Bandwidth line, double efficiency,
            core::Duration latency) {
    std::vector<int> cables(switches_.size());
    for (int p = 0; p < num_ports; ++p) ++cables[next_++ % switches_.size()];
    for (std::size_t s = 0; s < switches_.size(); ++s) {
      if (cables[s] == 0) continue;
      fabric_.add_link({device, switches_[s], tier, line * efficiency * cables[s], latency,
                        cables[s], line * cables[s]});
      ports_[s] += cables[s];
    }
  }
  void restart() { next_ = 0; }

  /// Joins the switches to one another, or each to all spines.
  void join() {
    if (plan_.peer_links == 0) return;
    for (std::size_t a = 0; a < switches_.size(); ++a) {
      for (const VertexId spine : spines_) add_peer_links(switches_[a], spine);
      ports_[a] += plan_.num_spines * plan_.peer_links;
      for (std::size_t b = a + 1; spines_.empty() && b < switches_.size(); ++b) {
        add_peer_links(switches_[a], switches_[b]);
        ports_[a] += plan_.peer_links;
        ports_[b] += plan_.peer_links;
      }
    }
    if (!spines_.empty()) ports_.push_back(plan_.num_leaves * plan_.peer_links);
  }
  [[nodiscard]] int max_ports() const { return *std::ranges::max_element(ports_); }

 private:
  void add_peer_links(VertexId below, VertexId above) {
    const core::Switch& model = *storage_.front_end_switch;
    const core::Bandwidth line = model.port_rate.value * plan_.peer_links;
    fabric_.add_link({below, above, Tier::kFrontEnd,
                      line * storage_.node.front_end_efficiency.value, model.latency.value,
                      plan_.peer_links, line});
  }

  core::Fabric& fabric_;
  const StorageCluster& storage_;
  FrontEndPlan plan_;
  std::vector<VertexId> switches_;
  std::vector<VertexId> spines_;
  std::vector<int> ports_;  // used, by switch; behind them those of a spine
  std::size_t next_ = 0;
};

/// Cables every port of a front-end NIC.
void deal_nic(SwitchDealer& dealer, VertexId vertex, const core::NicSet& front_end,
              const core::Switch& model) {
  const core::Nic& nic = front_end.nic;
  const core::Transport& transport = front_end.transport;
  dealer.deal(vertex, nic.num_ports, Tier::kFrontEnd,
              std::min(nic.line_rate.value, model.port_rate.value), transport.efficiency.value,
              nic.latency.value + transport.latency.value / 2.0 + model.latency.value / 2.0);
}

/// Adds nodes without accelerators, of which only the NICs are drawn. Their node indices start at
/// `first_node`.
void add_cpu_nodes(BuiltCluster& built, SwitchDealer& dealer, const CpuNodeGroup& group,
                   std::string_view word, int first_node, const core::Switch& model) {
  const core::NicSet& front_end = group.node.front_end;
  for (int i = 0; i < group.count; ++i) {
    for (int n = 0; n < front_end.count; ++n) {
      deal_nic(dealer,
               built.fabric.add_vertex({Role::kFrontEndNic, first_node + i, n,
                                        fmt::format("{} node {} front-end NIC {}", word, i, n)}),
               front_end, model);
    }
  }
  add_devices(built.parts, "cpu_node", group.node, group.count);
  add_part(built.parts, "nic", front_end.nic.name, group.count * front_end.count);
  add_part(built.parts, "cable", "front-end link",
           group.count * front_end.count * front_end.nic.num_ports);
}

void add_parts(core::PartsList& parts, const Cluster& cluster,
               std::span<const PluggedNodes> plugged, const FrontEndPlan& plan, int max_ports) {
  const StorageCluster& storage = *cluster.storage;
  const core::Switch& model = *storage.front_end_switch;
  add_storage_nodes(parts, storage);
  add_part(parts, "switch", model.name, plan.num_leaves + plan.num_spines);
  for (const PluggedNodes& of_kind : plugged) {
    add_part(parts, "cable", "front-end link", of_kind.num_ports());
  }
  add_part(parts, "cable", "storage link", storage.count * storage.node.num_front_end_ports.value);
  const int num_pairs = plan.num_spines > 0 ? plan.num_leaves * plan.num_spines
                                            : plan.num_leaves * (plan.num_leaves - 1) / 2;
  add_part(parts, "cable", "front-end peer link", num_pairs * plan.peer_links);
  require(parts,
          fmt::format("{} ports on a front-end switch; {} has {}", max_ports, model.name,
                      model.num_ports.value),
          max_ports, model.num_ports.value, core::kFrontEndTier);
  require_cluster_size(parts, storage);
}

}  // namespace

void add_storage_network(BuiltCluster& built, const Cluster& cluster,
                         std::span<const PluggedNodes> plugged) {
  if (!cluster.storage || cluster.storage->network != StorageAttachment::kFrontEnd) return;
  const StorageCluster& storage = *cluster.storage;
  if (!storage.front_end_switch) {
    throw core::SimulationError("storage on a front-end network needs its switch");
  }
  const core::Switch& model = *storage.front_end_switch;
  const core::StorageNode& device = storage.node;
  const FrontEndPlan plan = front_end_plan(cluster, plugged);
  SwitchDealer dealer(built.fabric, storage, plan);

  const core::Duration half = model.latency.value / 2.0;
  int next_node = 0;
  for (const PluggedNodes& of_kind : plugged) {
    for (const WiredNode& node : of_kind.nodes) {
      for (const VertexId vertex : node.front_end_nics) {
        deal_nic(dealer, vertex, *of_kind.front_end, model);
      }
    }
    next_node += static_cast<int>(of_kind.nodes.size());
  }
  dealer.restart();
  for (int i = 0; i < storage.count; ++i) {
    const VertexId vertex =
        built.fabric.add_vertex({Role::kStorageNode, i, i, fmt::format("storage node {}", i)});
    dealer.deal(vertex, device.num_front_end_ports.value, Tier::kStorage,
                std::min(device.front_end_port_rate.value, model.port_rate.value),
                device.front_end_efficiency.value, half);
  }
  if (cluster.control_plane) {
    add_cpu_nodes(built, dealer, *cluster.control_plane, "control-plane", next_node, model);
    next_node += cluster.control_plane->count;
  }
  if (cluster.data_preparation) {
    add_cpu_nodes(built, dealer, *cluster.data_preparation, "data-preparation", next_node, model);
  }
  dealer.join();
  add_parts(built.parts, cluster, plugged, plan, dealer.max_ports());
  add_back_end_parts(built.parts, storage);
}

}  // namespace railwright::topologies
