// SPDX-License-Identifier: Apache-2.0
// Routing by destination in fat trees: lengths, and shifts without contention.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fat_tree.hpp"

namespace railwright::core {
namespace {

using testing::FatTree;
using testing::Shape;
using testing::three_tiers;
using testing::two_tiers;

/// Flows on the fullest cable between switches when accelerator i sends to i + shift.
double fullest_cable(const FatTree& tree, int shift) {
  const Fabric& fabric = tree.fabric;
  std::vector<double> flows(fabric.links().size());
  std::vector<LinkUse> uses;
  const int n = fabric.num_accelerators();
  for (int a = 0; a < n; ++a) {
    uses.clear();
    fabric.append_route(a, (a + shift) % n, 0, uses);
    for (const LinkUse& use : uses) flows[static_cast<std::size_t>(use.link)] += use.coefficient;
  }
  double most = 0.0;
  for (std::size_t l = 0; l < flows.size(); ++l) {
    const Link& link = fabric.links()[l];
    if (link.tier == Tier::kFabric) most = std::max(most, flows[l] / link.num_parallel);
  }
  return most;
}

std::size_t num_links_between(const FatTree& tree, int from, int to) {
  return tree.fabric
      .route(tree.nics[static_cast<std::size_t>(from)], tree.nics[static_cast<std::size_t>(to)])
      .size();
}

TEST(StaticRouting, LengthsFollowTheTiers) {
  const FatTree one({.num_nodes = 8, .hosts_per_leaf = 8});
  EXPECT_EQ(num_links_between(one, 0, 7), 2U);
  const FatTree two(two_tiers());
  EXPECT_EQ(num_links_between(two, 0, 7), 2U);
  EXPECT_EQ(num_links_between(two, 0, 8), 4U);
  EXPECT_EQ(num_links_between(two, 0, 63), 4U);
  const FatTree three(three_tiers());
  EXPECT_EQ(num_links_between(three, 0, 3), 2U);
  EXPECT_EQ(num_links_between(three, 0, 4), 4U);
  EXPECT_EQ(num_links_between(three, 0, 15), 4U);
  EXPECT_EQ(num_links_between(three, 0, 16), 6U);
  EXPECT_EQ(num_links_between(three, 63, 0), 6U);
}

TEST(StaticRouting, ARouteIsAWalk) {
  const FatTree tree(three_tiers());
  for (int to = 1; to < 64; ++to) {
    VertexId at = tree.fabric.endpoint(0).accelerator;
    for (const LinkId link : tree.fabric.accelerator_route(0, to)) {
      EXPECT_EQ(tree.link(link).from, at);
      at = tree.link(link).to;
    }
    EXPECT_EQ(at, tree.fabric.endpoint(to).accelerator);
  }
}

TEST(StaticRouting, ShiftsDoNotContend) {
  Shape bundled{
      .num_nodes = 64, .hosts_per_leaf = 8, .leaves_per_pod = 8, .spines_per_pod = 2, .cables = 4};
  Shape drawn = bundled;
  drawn.draw_cables = true;
  for (const Shape& shape : {two_tiers(), three_tiers(), bundled, drawn}) {
    const FatTree tree(shape);
    for (int shift = 1; shift < 64; ++shift) {
      EXPECT_LE(fullest_cable(tree, shift), 1.0) << shift;
      // No neighbour on the same leaf: every cable of a leaf is in use.
      if (shift >= 8 && shift <= 56) {
        EXPECT_EQ(fullest_cable(tree, shift), 1.0) << shift;
      }
    }
  }
}

TEST(StaticRouting, ShiftsOfNodesDoNotContendOnRails) {
  Shape shape{.num_nodes = 32,
              .nics_per_node = 4,
              .hosts_per_leaf = 4,
              .leaves_per_pod = 32,
              .spines_per_pod = 4,
              .rail_optimized = true};
  Shape pods = shape;
  pods.leaves_per_pod = 4;
  pods.num_pods = 8;
  pods.cores_per_spine = 4;
  Shape wide_pods = pods;  // a pod of two groups of nodes
  wide_pods.leaves_per_pod = 8;
  wide_pods.num_pods = 4;
  wide_pods.cores_per_spine = 8;
  for (const Shape& each : {shape, pods, wide_pods}) {
    const FatTree tree(each);
    for (int nodes = 1; nodes < 32; ++nodes) {
      EXPECT_EQ(fullest_cable(tree, nodes * 4), 1.0) << nodes;
    }
  }
}

TEST(StaticRouting, AnOversubscribedLeafSharesItsCablesEvenly) {
  const FatTree tree(
      {.num_nodes = 64, .hosts_per_leaf = 8, .leaves_per_pod = 8, .spines_per_pod = 4});
  for (int shift = 8; shift < 64; shift += 8) EXPECT_EQ(fullest_cable(tree, shift), 2.0) << shift;
}

TEST(StaticRouting, EveryPathIsUsedByAllToAll) {
  const FatTree tree(three_tiers());
  std::vector<double> flows(tree.fabric.links().size());
  std::vector<LinkUse> uses;
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < 64; ++b) {
      if (a != b) tree.fabric.append_route(a, b, 0, uses);
    }
  }
  for (const LinkUse& use : uses) flows[static_cast<std::size_t>(use.link)] += use.coefficient;
  for (std::size_t l = 0; l < flows.size(); ++l) {
    const Link& link = tree.fabric.links()[l];
    if (link.tier != Tier::kFabric) continue;
    const bool meets_core = tree.fabric.vertices()[static_cast<std::size_t>(link.to)].level == 2 ||
                            tree.fabric.vertices()[static_cast<std::size_t>(link.from)].level == 2;
    // 4 sources to 60 devices over 4 cables; 16 to 48 over 16.
    EXPECT_EQ(flows[l], meets_core ? 48.0 : 60.0) << l;
  }
}

}  // namespace
}  // namespace railwright::core
