// SPDX-License-Identifier: Apache-2.0
// What the choice between algorithms asks of a fabric and of the members' places on it.
#pragma once

#include <cmath>

#include "groups.hpp"
#include "railwright/core/fabric/fabric.hpp"

namespace railwright::models {

/// What the library knows of a communicator.
struct CommunicatorShape {
  int members = 0;
  int nodes = 0;
  int min_in_node = 0;
  int max_in_node = 0;
  bool has_scale_up = false;         ///< else PCIe
  bool has_scale_up_switch = false;  ///< which may reduce
  double scale_up = 0.0;             ///< bytes/s of an accelerator into its node
  double network = 0.0;              ///< bytes/s of a node into the network
  bool network_reduces = false;      ///< every switch between the nodes adds
  core::Duration network_latency;    ///< of the links between two nodes

  [[nodiscard]] double per_node() const { return static_cast<double>(members) / nodes; }
  /// Levels of a binary tree over the nodes.
  [[nodiscard]] double tree_depth() const {
    return std::ceil(std::log2(static_cast<double>(nodes)));
  }
};

const core::Link& link_of(const core::Fabric& fabric, const core::LinkUse& use);

/// Of at least two members. `network` and `network_reduces` are left for those who ask.
CommunicatorShape shape_of(const core::Fabric& fabric, const Groups& groups);

/// What the adapters of a node's members put into the network, in bytes/s: of the first node and
/// the first of those with fewest members.
double network_bandwidth(const core::Fabric& fabric, const Groups& groups);

/// Whether all switches on the ways of the nodes to the first one add what passes them.
bool network_reduces(const core::Fabric& fabric, const Groups& groups);

}  // namespace railwright::models
