// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/leaf_spine.hpp"

#include <gtest/gtest.h>

#include "example_cluster.hpp"
#include "fabric_counts.hpp"

namespace railwright::topologies {
namespace {

using testing::count_fabric;
using testing::example_cluster;
using testing::FabricCounts;

BuiltCluster build(int num_nodes, int num_nics, double oversubscription,
                   LeafChoice nics = LeafChoice::kOneLeaf) {
  LeafSpine::Config config;
  config.switch_model = testing::example_switch(64);
  config.oversubscription = oversubscription;
  config.nics = nics;
  return LeafSpine(config).build(example_cluster(num_nodes, num_nics));
}

// ports / leaf = 64 o / (1 + o) downwards; each spine takes 64 uplinks.
TEST(LeafSpine, ClosedForms) {
  struct Row {
    int nodes, nics;
    double oversubscription;
    int leaves, spines, uplinks;
  };
  for (const Row& row :
       {Row{48, 4, 1.0, 6, 4, 32}, Row{48, 8, 1.0, 12, 8, 32}, Row{64, 8, 1.0, 16, 8, 32},
        Row{48, 8, 3.0, 8, 2, 16}, Row{56, 8, 7.0, 8, 1, 8}, Row{8, 8, 1.0, 1, 0, 0}}) {
    SCOPED_TRACE(::testing::Message() << row.nodes << " nodes, " << row.nics << " NICs");
    const BuiltCluster built = build(row.nodes, row.nics, row.oversubscription);
    const FabricCounts counts = count_fabric(built.fabric);
    EXPECT_EQ(counts.leaves, row.leaves);
    EXPECT_EQ(counts.spines, row.spines);
    EXPECT_EQ(counts.leaf_cables, row.leaves * row.uplinks);
    EXPECT_EQ(counts.host_cables, row.nodes * row.nics);
    EXPECT_TRUE(built.parts.shortfalls.empty());
  }
}

TEST(LeafSpine, DealtNicsSpreadANodeOverLeaves) {
  const BuiltCluster built = build(32, 8, 1.0, LeafChoice::kDealt);
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 8);
  for (const auto& [label, ports] : counts.ports) EXPECT_EQ(ports, 64) << label;
  EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(), 128 * 40e9);
}

TEST(LeafSpine, OversubscriptionNarrowsTheBisection) {
  // Six leaves of 8 nodes and two of none: half of the nodes sit on four of eight leaves.
  const BuiltCluster built = build(48, 8, 3.0);
  EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(), 4 * 16 * 40e9);
}

TEST(LeafSpine, GivenCountsAreKept) {
  LeafSpine::Config config;
  config.switch_model = testing::example_switch(64);
  config.num_leaves = 8;
  config.num_spines = 8;
  const BuiltCluster built = LeafSpine(config).build(example_cluster(16, 8));
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 8);
  EXPECT_EQ(counts.spines, 8);
  EXPECT_EQ(counts.leaf_cables, 8 * 16);
}

TEST(LeafSpine, UplinksMayBeDealtUnevenly) {
  LeafSpine::Config config;
  config.switch_model = testing::example_switch(64);
  config.num_spines = 3;  // 32 uplinks: 11, 11 and 10, in turn
  const BuiltCluster built = LeafSpine(config).build(example_cluster(48, 4));
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 6);
  EXPECT_EQ(counts.spines, 3);
  for (const auto& [label, ports] : counts.ports) EXPECT_EQ(ports, 64) << label;
  EXPECT_TRUE(built.parts.shortfalls.empty());
}

}  // namespace
}  // namespace railwright::topologies
