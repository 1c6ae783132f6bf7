// SPDX-License-Identifier: Apache-2.0
// The properties of a fabric, and of the members' places on it, that the choice between algorithms
// needs.
#pragma once

#include <cmath>

#include "groups.hpp"
#include "railwright/core/fabric/fabric.hpp"

namespace railwright::models {

/// The library's knowledge of a communicator.
struct CommunicatorShape {
  int members = 0;
  int nodes = 0;
  int min_in_node = 0;
  int max_in_node = 0;
  bool has_scale_up = false;         ///< scale-up links; else PCIe
  bool has_scale_up_switch = false;  ///< their switch, which may reduce
  double scale_up = 0.0;             ///< bytes/s of an accelerator into its node
  double network = 0.0;              ///< bytes/s of a node into the network
  bool network_reduces = false;      ///< every switch between the nodes reduces
  core::Duration network_latency;    ///< latency of the links between two nodes

  [[nodiscard]] double per_node() const { return static_cast<double>(members) / nodes; }
  /// Levels of a binary tree over the nodes.
  [[nodiscard]] double tree_depth() const {
    return std::ceil(std::log2(static_cast<double>(nodes)));
  }
};

const core::Link& link_of(const core::Fabric& fabric, const core::LinkUse& use);

/// Computes the shape of at least two members. Leaves `network` and `network_reduces` to callers
/// that need them.
CommunicatorShape shape_of(const core::Fabric& fabric, const Groups& groups);

/// Returns the shape of two members in two nodes with this way between them.
CommunicatorShape shape_of_pair(const core::Fabric& fabric, std::span<const core::LinkUse> way);

/// Returns the bandwidth of a node's adapters into the network, in bytes/s: the lower of the first
/// node's and that of the first node with fewest members.
double network_bandwidth(const core::Fabric& fabric, const Groups& groups);

/// Whether all switches on the paths of the nodes to the first one reduce.
bool network_reduces(const core::Fabric& fabric, const Groups& groups);

}  // namespace railwright::models
