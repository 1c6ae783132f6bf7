// SPDX-License-Identifier: Apache-2.0
// Members of a communicator by node, in the order of rings and trees.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::models {

struct Groups {
  std::vector<std::vector<int>> nodes;  ///< in the order of first appearance
  std::size_t num_channels = 0;         ///< members of the fullest node
  std::size_t fewest = 0;               ///< members of the emptiest node
  std::size_t num_members = 0;
  std::size_t num_connections = 1;  ///< between the NICs of a channel, hashed one by one

  Groups() = default;
  Groups(const core::Fabric& fabric, std::span<const int> members);

  /// Returns the member of a node through which a channel enters and leaves.
  [[nodiscard]] int gate(std::size_t node, std::size_t channel) const {
    return nodes[node][channel % nodes[node].size()];
  }
  /// Returns the i-th member of a node after the gate of a channel.
  [[nodiscard]] int behind_gate(std::size_t node, std::size_t channel, std::size_t i) const {
    return nodes[node][(channel + i) % nodes[node].size()];
  }
};

/// Returns the edges (child, parent) of two binary trees over 0..size-1. Every place is inner in
/// one and a leaf of the other. [@sanders2009twotree]
std::vector<std::pair<std::size_t, std::size_t>> double_tree_edges(std::size_t size);

}  // namespace railwright::models
