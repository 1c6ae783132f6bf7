// SPDX-License-Identifier: Apache-2.0
// What every scale-out topology needs: nodes, switches, and links whose rate is what both ends can.
#pragma once

#include <string>
#include <vector>

#include "railwright/topologies/node_wiring.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

/// A fabric under construction: servers are in, switches are not.
class ScaleOutBuilder {
 public:
  explicit ScaleOutBuilder(const Cluster& cluster);

  core::VertexId add_switch(const core::Switch& model);
  /// Cables all NICs of a node to one switch.
  void connect_node(int node, core::VertexId to, const core::Switch& model);
  /// Joins two switches by a bundle.
  void connect_switches(core::VertexId a, core::VertexId b, const core::Switch& model,
                        int num_links);
  /// Switch ports that the scale-out NICs of a node take.
  [[nodiscard]] int ports_per_node() const;
  /// "24 nodes x 8 NICs" or "24 nodes x 8 NICs x 2 ports".
  [[nodiscard]] std::string host_ports_in_words(int num_nodes) const;
  core::PartsList& parts() { return built_.parts; }

  /// Adds the storage network and hands the cluster out.
  BuiltCluster finish();

 private:
  const Cluster& cluster_;
  NicPlan plan_;
  BuiltCluster built_;
  std::vector<WiredNode> nodes_;
  int num_switches_ = 0;
  int num_switch_ports_ = 0;
};

}  // namespace railwright::topologies
