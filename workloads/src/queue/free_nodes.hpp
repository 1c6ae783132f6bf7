// SPDX-License-Identifier: Apache-2.0
// Free accelerators of a cluster's nodes, and their choice for a job.
#pragma once

#include <optional>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/workloads/queue/queue.hpp"

namespace railwright::simulation {

/// Accelerators of one node that a job holds.
struct NodeShare {
  int node = 0;
  int accelerators = 0;
};
using NodeShares = std::vector<NodeShare>;

/// Returns the accelerators that a job of so many holds: whole nodes if it needs more than one.
inline int held(int accelerators, int per_node) {
  return accelerators <= per_node ? accelerators
                                  : core::ceil_div(accelerators, per_node) * per_node;
}

/// Nodes by the leaf that they hang on.
struct LeafNodes {
  std::vector<int> leaf_of_node;
  std::vector<std::vector<int>> on_leaf;

  static LeafNodes of(std::vector<int> leaf_of_node);
};

/// A job of up to a node's accelerators gets them in one node, beside others; a larger one gets
/// whole nodes.
class FreeNodes {
 public:
  /// `leaves` must outlive this.
  FreeNodes(const LeafNodes& leaves, int accelerators_per_node, NodeChoice choice);

  /// Returns a place for so many accelerators; nothing if there is none now.
  [[nodiscard]] std::optional<NodeShares> place(int accelerators) const;
  /// Whether these very accelerators are free.
  [[nodiscard]] bool has(const NodeShares& shares) const;
  void take(const NodeShares& shares);
  void give_back(const NodeShares& shares);
  /// A node in repair gives no accelerators.
  void take_down(int node);
  void bring_up(int node);

  [[nodiscard]] int num_nodes() const { return static_cast<int>(free_.size()); }
  [[nodiscard]] int accelerators_per_node() const { return per_node_; }
  /// Returns the free accelerators of a node: none in repair.
  [[nodiscard]] int free_of(int node) const {
    const auto n = static_cast<std::size_t>(node);
    return is_down_[n] != 0 ? 0 : free_[n];
  }
  [[nodiscard]] bool is_down(int node) const {
    return is_down_[static_cast<std::size_t>(node)] != 0;
  }
  /// Nodes without a job and not in repair.
  [[nodiscard]] int num_empty() const;
  [[nodiscard]] int num_leaves(const NodeShares& shares) const;
  /// Returns the fewest leaves that so many nodes can be on, in an empty cluster.
  [[nodiscard]] int fewest_leaves(int num_nodes) const;
  /// Whether a job of several nodes is on more leaves than it needs.
  [[nodiscard]] bool is_spread(const NodeShares& shares) const;

 private:
  [[nodiscard]] bool is_empty(int node) const { return free_of(node) == per_node_; }
  [[nodiscard]] std::optional<NodeShares> place_in_node(int accelerators) const;
  [[nodiscard]] std::optional<NodeShares> place_on_nodes(int num_nodes) const;

  const LeafNodes* leaves_;
  int per_node_ = 0;
  NodeChoice choice_;
  std::vector<int> free_;      ///< accelerators, by node
  std::vector<char> is_down_;  ///< by node
};

}  // namespace railwright::simulation
