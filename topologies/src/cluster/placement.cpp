// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/cluster/placement.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "railwright/core/sim/random.hpp"

namespace railwright::topologies {

std::vector<int> nodes_by_place(const Placement& placement, int num_nodes) {
  const int num_together = std::max(placement.part_of_nodes, num_nodes);
  const auto num_places = static_cast<std::size_t>(std::max(placement.of_nodes, num_together));
  std::vector<int> nodes(num_places, -1);
  std::iota(nodes.begin() + placement.first_node, nodes.begin() + placement.first_node + num_nodes,
            0);
  if (placement.order == PlacementOrder::kPacked) return nodes;
  // The swaps depend on the number of places alone, so they are the same for all parts.
  core::RandomStream random(placement.seed, placement.draw);
  for (std::size_t left = num_places; left > 1; --left) {
    std::swap(nodes[left - 1], nodes[random.below(left)]);
  }
  return nodes;
}

}  // namespace railwright::topologies
