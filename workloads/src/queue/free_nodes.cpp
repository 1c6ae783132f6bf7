// SPDX-License-Identifier: Apache-2.0
#include "free_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "railwright/core/arithmetic.hpp"

namespace railwright::simulation {

LeafNodes LeafNodes::of(std::vector<int> leaf_of_node) {
  LeafNodes leaves{.leaf_of_node = std::move(leaf_of_node)};
  const int num_leaves =
      leaves.leaf_of_node.empty() ? 0 : std::ranges::max(leaves.leaf_of_node) + 1;
  leaves.on_leaf.resize(static_cast<std::size_t>(num_leaves));
  for (std::size_t node = 0; node < leaves.leaf_of_node.size(); ++node) {
    leaves.on_leaf[static_cast<std::size_t>(leaves.leaf_of_node[node])].push_back(
        static_cast<int>(node));
  }
  return leaves;
}

FreeNodes::FreeNodes(const LeafNodes& leaves, int accelerators_per_node, NodeChoice choice)
    : leaves_(&leaves),
      per_node_(accelerators_per_node),
      choice_(choice),
      free_(leaves.leaf_of_node.size(), accelerators_per_node),
      is_down_(leaves.leaf_of_node.size(), 0) {}

int FreeNodes::num_empty() const {
  int count = 0;
  for (int node = 0; node < num_nodes(); ++node) count += is_empty(node) ? 1 : 0;
  return count;
}

std::optional<NodeShares> FreeNodes::place(int accelerators) const {
  if (accelerators <= per_node_) return place_in_node(accelerators);
  return place_on_nodes(core::ceil_div(accelerators, per_node_));
}

std::optional<NodeShares> FreeNodes::place_in_node(int accelerators) const {
  int best = -1;
  for (int node = 0; node < num_nodes(); ++node) {
    if (free_of(node) < accelerators || (best >= 0 && free_of(node) >= free_of(best))) continue;
    best = node;
    if (choice_ == NodeChoice::kFirstFit || free_of(node) == accelerators) break;
  }
  if (best < 0) return std::nullopt;
  return NodeShares{{best, accelerators}};
}

/// Best fit takes the leaf with the fewest empty nodes that suffice, else the leaves with most.
std::optional<NodeShares> FreeNodes::place_on_nodes(int num_nodes) const {
  std::vector<std::vector<int>> empty(leaves_->on_leaf.size());
  int num_empty = 0;
  for (std::size_t leaf = 0; leaf < leaves_->on_leaf.size(); ++leaf) {
    for (const int node : leaves_->on_leaf[leaf]) {
      if (is_empty(node)) empty[leaf].push_back(node);
    }
    num_empty += static_cast<int>(empty[leaf].size());
  }
  if (num_empty < num_nodes) return std::nullopt;
  std::vector<std::size_t> order(empty.size());
  std::iota(order.begin(), order.end(), 0U);
  if (choice_ == NodeChoice::kBestFit) {
    const auto suffices = [&](std::size_t leaf) {
      return static_cast<int>(empty[leaf].size()) >= num_nodes;
    };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      if (suffices(a) != suffices(b)) return suffices(a);
      return suffices(a) ? empty[a].size() < empty[b].size() : empty[a].size() > empty[b].size();
    });
  }
  NodeShares shares;
  for (const std::size_t leaf : order) {
    for (const int node : empty[leaf]) {
      if (static_cast<int>(shares.size()) == num_nodes) return shares;
      shares.push_back({node, per_node_});
    }
  }
  return shares;
}

bool FreeNodes::has(const NodeShares& shares) const {
  return std::ranges::all_of(
      shares, [&](const NodeShare& share) { return free_of(share.node) >= share.accelerators; });
}

void FreeNodes::take(const NodeShares& shares) {
  for (const NodeShare& share : shares) {
    free_[static_cast<std::size_t>(share.node)] -= share.accelerators;
  }
}

void FreeNodes::give_back(const NodeShares& shares) {
  for (const NodeShare& share : shares) {
    free_[static_cast<std::size_t>(share.node)] += share.accelerators;
  }
}

void FreeNodes::take_down(int node) { is_down_[static_cast<std::size_t>(node)] = 1; }

void FreeNodes::bring_up(int node) { is_down_[static_cast<std::size_t>(node)] = 0; }

int FreeNodes::num_leaves(const NodeShares& shares) const {
  std::vector<int> leaves;
  leaves.reserve(shares.size());
  for (const NodeShare& share : shares) {
    leaves.push_back(leaves_->leaf_of_node[static_cast<std::size_t>(share.node)]);
  }
  std::ranges::sort(leaves);
  return static_cast<int>(std::ranges::unique(leaves).begin() - leaves.begin());
}

int FreeNodes::fewest_leaves(int num_nodes) const {
  std::vector<int> sizes;
  for (const std::vector<int>& nodes : leaves_->on_leaf)
    sizes.push_back(static_cast<int>(nodes.size()));
  std::ranges::sort(sizes, std::ranges::greater{});
  int count = 0;
  for (int left = num_nodes; left > 0 && count < static_cast<int>(sizes.size()); ++count) {
    left -= sizes[static_cast<std::size_t>(count)];
  }
  return count;
}

bool FreeNodes::is_spread(const NodeShares& shares) const {
  const auto num_nodes = static_cast<int>(shares.size());
  return num_nodes > 1 && num_leaves(shares) > fewest_leaves(num_nodes);
}

}  // namespace railwright::simulation
