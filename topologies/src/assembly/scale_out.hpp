// SPDX-License-Identifier: Apache-2.0
// What every scale-out topology needs: nodes, switches, and links whose rate is what both ends can.
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

/// A fabric under construction: nodes are in, switches are not.
class ScaleOutBuilder {
 public:
  explicit ScaleOutBuilder(const Cluster& cluster);

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  /// What follows is plane `plane` of `num_planes`: the ports of each NIC are dealt over them.
  void begin_plane(int plane, int num_planes);
  /// Returns the index that the other functions take. `model` must outlive the builder.
  int add_switch(const core::Switch& model, Level level);
  /// Cables one NIC of a node, with all its ports on this plane, to a switch.
  void connect_nic(int node, int nic, int to);
  /// Cables all NICs of a node to one switch.
  void connect_node(int node, int to);
  /// Joins a switch to one above it, or to a peer of its level.
  void connect_switches(int lower, int upper, int num_links);

  /// Drawn NICs of a node, each the end of at least one accelerator's way out.
  [[nodiscard]] int nics_per_node() const { return static_cast<int>(plan_.nics.size()); }
  /// The board of a node that a NIC stands on, and its index among the NICs of that board.
  [[nodiscard]] int tray_of_nic(int nic) const;
  [[nodiscard]] int index_on_tray(int nic) const;
  /// Ports of the one with fewest, on all planes together.
  [[nodiscard]] int cables_per_nic() const;
  /// Switch ports that one of them takes on this plane.
  [[nodiscard]] int ports_of_nic(int nic) const;
  /// The same of the one that takes most.
  [[nodiscard]] int ports_per_nic() const;
  /// Switch ports that the scale-out NICs of a node take.
  [[nodiscard]] int ports_per_node() const;
  /// "24 nodes x 8 NICs" or "24 nodes x 8 NICs x 2 ports".
  [[nodiscard]] std::string host_ports_in_words(int num_nodes) const;
  core::PartsList& parts() { return built_.parts; }

  /// Adds the storage network and hands the cluster out.
  BuiltCluster finish();

 private:
  PlacedSwitch& at(int index) { return switches_[static_cast<std::size_t>(index)]; }
  void check_ports();

  const Cluster& cluster_;
  NicPlan plan_;
  BuiltCluster built_;
  std::vector<WiredNode> nodes_;
  std::vector<PlacedSwitch> switches_;
  std::array<int, kNumLevels> num_at_level_{};  // of this plane
  std::string prefix_;                          // of its labels
  int num_planes_ = 1;
};

}  // namespace railwright::topologies
