// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

#include <algorithm>
#include <map>

namespace railwright::models {

namespace {

/// Returns the parent of `rank` in the in-order binary tree over `size` ranks rooted at 0.
std::size_t tree_parent(std::size_t rank, std::size_t size) {
  const std::size_t low_bit = rank & (~rank + 1);
  const std::size_t parent = (rank ^ low_bit) | (low_bit << 1U);
  return parent < size ? parent : rank ^ low_bit;
}

}  // namespace

Groups::Groups(const core::Fabric& fabric, std::span<const int> members)
    : num_members(members.size()) {
  std::map<int, std::size_t> group_of_node;
  for (const int member : members) {
    const auto [it, is_new] = group_of_node.try_emplace(fabric.endpoint(member).node, nodes.size());
    if (is_new) nodes.emplace_back();
    nodes[it->second].push_back(member);
  }
  if (nodes.empty()) return;
  num_channels = std::ranges::max(nodes, {}, &std::vector<int>::size).size();
  fewest = std::ranges::min(nodes, {}, &std::vector<int>::size).size();
}

std::vector<std::pair<std::size_t, std::size_t>> double_tree_edges(std::size_t size) {
  // The second tree is mirrored for an even size, shifted for an odd one.
  const auto second = [size](std::size_t rank) {
    return size % 2 == 0 ? size - 1 - rank : (rank + 1) % size;
  };
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t rank = 1; rank < size; ++rank) {
    const std::size_t parent = tree_parent(rank, size);
    edges.emplace_back(rank, parent);
    edges.emplace_back(second(rank), second(parent));
  }
  return edges;
}

}  // namespace railwright::models
