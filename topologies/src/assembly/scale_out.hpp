// SPDX-License-Identifier: Apache-2.0
// Construction steps of every scale-out topology: nodes, switches, and links whose rate is the
// lower of both ends'.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../cluster/placed_switch.hpp"
#include "railwright/topologies/assembly/node_wiring.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

/// A fabric under construction: it starts with the nodes, and topologies add the switches.
class ScaleOutBuilder {
 public:
  explicit ScaleOutBuilder(const Cluster& cluster, core::Fabric fabric = {});

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  /// Number of places for nodes, others' included.
  [[nodiscard]] int num_places() const { return static_cast<int>(node_at_.size()); }
  /// Starts plane `plane` of `num_planes`, over which the ports of each NIC are dealt.
  void begin_plane(int plane, int num_planes);
  /// Adds a switch and returns its index for the other functions. `model` must outlive the builder.
  int add_switch(const core::Switch& model, Level level);
  /// Cables one NIC of the node at a place, with all its ports on this plane, to a switch.
  void connect_nic(int place, int nic, int to);
  /// Cables all NICs of the node at a place to one switch.
  void connect_node(int place, int to);
  /// Joins a switch to one above it, or to a peer of its level.
  void connect_switches(int lower, int upper, int num_links);

  /// Number of NIC vertices of a node, each used by at least one accelerator.
  [[nodiscard]] int nics_per_node() const { return static_cast<int>(plan_.nics.size()); }
  /// Tray of a node that holds a NIC; index_on_tray() is its index among the NICs of that tray.
  [[nodiscard]] int tray_of_nic(int nic) const;
  [[nodiscard]] int index_on_tray(int nic) const;
  /// Ports of the NIC vertex with fewest, on all planes together.
  [[nodiscard]] int cables_per_nic() const;
  /// Switch ports that a NIC vertex takes on this plane.
  [[nodiscard]] int ports_of_nic(int nic) const;
  /// Switch ports that the NIC vertex with most takes on this plane.
  [[nodiscard]] int ports_per_nic() const;
  /// Switch ports that the scale-out NICs of a node take.
  [[nodiscard]] int ports_per_node() const;
  /// Returns "24 nodes x 8 NICs" or "24 nodes x 8 NICs x 2 ports".
  [[nodiscard]] std::string host_ports_in_words(int num_nodes) const;
  core::PartsList& parts() { return built_.parts; }
  /// Returns the routing policy of the cluster, or the one of its adapters and first switch.
  [[nodiscard]] core::RoutingPolicy routing() const;

  /// Adds the storage network and returns the cluster.
  BuiltCluster finish();

  /// Whether the accelerators of the first node are wired as those of a fabric; the others' wiring
  /// follows from the same plan.
  [[nodiscard]] bool has_same_endpoints(const core::Fabric& fabric) const;

 private:
  PlacedSwitch& at(int index) { return switches_[static_cast<std::size_t>(index)]; }
  void check_ports();

  const Cluster& cluster_;
  NicPlan plan_;
  std::vector<int> node_at_;  // by place; -1 where another's node stands
  BuiltCluster built_;
  std::vector<WiredNode> nodes_;
  std::vector<PlacedSwitch> switches_;
  std::array<int, kNumLevels> num_at_level_{};  // switches of this plane
  std::string prefix_;                          // prefix of this plane's labels
  int num_planes_ = 1;
};

}  // namespace railwright::topologies
