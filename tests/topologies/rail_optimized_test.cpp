// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/rail_optimized.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "example_cluster.hpp"
#include "fabric_counts.hpp"

namespace railwright::topologies {
namespace {

using testing::count_fabric;
using testing::example_cluster;
using testing::FabricCounts;

RailOptimized::Config config_of(int num_ports) {
  RailOptimized::Config config;
  config.switch_model = testing::example_switch(num_ports);
  return config;
}

BuiltCluster rail_optimized(int num_nodes, int num_nics, const RailOptimized::Config& config) {
  return RailOptimized(config).build(example_cluster(num_nodes, num_nics));
}

int hops(const core::Fabric& fabric, int from, int to) {
  const auto& route = fabric.accelerator_route(from, to);
  return static_cast<int>(std::ranges::count_if(route, [&](core::LinkId link) {
    const auto head = static_cast<std::size_t>(fabric.links()[static_cast<std::size_t>(link)].to);
    return fabric.vertices()[head].role == core::Role::kSwitch;
  }));
}

TEST(RailOptimized, OneGroupOfThirtyTwoNodes) {
  const BuiltCluster built = rail_optimized(32, 8, config_of(64));
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 8);
  EXPECT_EQ(counts.spines, 4);
  EXPECT_EQ(counts.cores, 0);
  EXPECT_EQ(counts.host_cables, 256);
  EXPECT_EQ(counts.switch_cables, 256);
  EXPECT_TRUE(built.parts.shortfalls.empty());
  EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(), 128 * 40e9);
  // Same rail: one leaf. Another rail: leaf, spine, leaf.
  EXPECT_EQ(hops(built.fabric, 0, 31 * 8), 1);
  EXPECT_EQ(hops(built.fabric, 0, 31 * 8 + 2), 3);
}

// Racks of 18 trays with four NICs each: four rails, 32 trays under the four leaves of a group.
TEST(RailOptimized, ARackOfTraysHasTheRailsOfATray) {
  Cluster cluster = example_cluster(8, 8);
  core::ComputeNode& rack = cluster.node;
  rack.num_accelerators.value = 72;
  rack.num_pcie_switches.value = 36;
  rack.num_hosts.value = 36;
  rack.num_trays = 18;
  rack.nics.count = 72;
  rack.nic_slots.value = 108;
  const BuiltCluster built = RailOptimized(config_of(64)).build(cluster);
  const FabricCounts counts = count_fabric(built.fabric);
  // 8 x 18 = 144 trays are 4.5 groups; 20 leaves with 32 uplinks need 10 spines, and 16 of them
  // take the uplinks of a leaf evenly.
  EXPECT_EQ(counts.leaves, 5 * 4);
  EXPECT_EQ(counts.spines, 16);
  EXPECT_EQ(counts.cores, 0);
  EXPECT_EQ(counts.host_cables, 8 * 72);
  EXPECT_EQ(counts.switch_cables, 20 * 32);
  EXPECT_TRUE(built.parts.shortfalls.empty());
  // Equal places of the trays of one group are one leaf apart; rack 1 ends in the second group.
  EXPECT_EQ(hops(built.fabric, 2, 72 + 2), 1);
  EXPECT_EQ(hops(built.fabric, 2, 72 + 4 * 13 + 2), 1);
  EXPECT_EQ(hops(built.fabric, 2, 72 + 4 * 14 + 2), 3);
  EXPECT_EQ(hops(built.fabric, 2, 72 + 3), 3);
}

// Switches and cables of the vendor's reference architecture for one to four scalable units of 32
// nodes, with 64-port switches [@nvidia2023superpod]; the same for 256 and 512 nodes.
TEST(RailOptimized, MatchesTheReferenceArchitecture) {
  struct Row {
    int nodes, leaves, spines, cores, cables;
  };
  for (const Row& row :
       {Row{31, 8, 4, 0, 256}, Row{63, 16, 8, 0, 512}, Row{95, 24, 16, 0, 768},
        Row{127, 32, 16, 0, 1024}, Row{256, 64, 32, 0, 2048}, Row{512, 128, 128, 64, 4096}}) {
    SCOPED_TRACE(row.nodes);
    const BuiltCluster built = rail_optimized(row.nodes, 8, config_of(64));
    const FabricCounts counts = count_fabric(built.fabric);
    EXPECT_EQ(counts.leaves, row.leaves);
    EXPECT_EQ(counts.spines, row.spines);
    EXPECT_EQ(counts.cores, row.cores);
    EXPECT_EQ(counts.host_cables, row.nodes * 8);
    EXPECT_EQ(counts.leaf_cables, row.nodes == 31 ? 8 * 32 : row.cables);
    EXPECT_TRUE(built.parts.shortfalls.empty());
  }
}

TEST(RailOptimized, SixteenThousandAcceleratorsTakeThreeTiers) {
  const BuiltCluster built = rail_optimized(2048, 8, config_of(64));
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 512);
  EXPECT_EQ(counts.spines, 512);
  EXPECT_EQ(counts.cores, 256);
  EXPECT_EQ(counts.host_cables, 16384);
  EXPECT_EQ(counts.leaf_cables, 16384);
  EXPECT_EQ(counts.spine_cables, 16384);
  EXPECT_TRUE(built.parts.shortfalls.empty());
  EXPECT_EQ(built.parts.ports_free, 0);
}

TEST(RailOptimized, OversubscribedLeavesHaveFewerUplinks) {
  RailOptimized::Config config = config_of(64);
  config.oversubscription = 3.0;
  const BuiltCluster built = rail_optimized(48, 8, config);  // 48 down, 16 up
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 8);
  EXPECT_EQ(counts.leaf_cables, 128);
  EXPECT_EQ(counts.spines, 2);
}

TEST(RailOptimized, FourNicsMakeFourRails) {
  const FabricCounts counts = count_fabric(rail_optimized(64, 4, config_of(64)).fabric);
  EXPECT_EQ(counts.leaves, 8);  // two groups of 32
  EXPECT_EQ(counts.spines, 4);
  EXPECT_EQ(counts.host_cables, 256);
}

TEST(RailOptimized, RailsMayTakeSeveralNics) {
  RailOptimized::Config config = config_of(64);
  config.rails = 4;
  const FabricCounts counts = count_fabric(rail_optimized(16, 8, config).fabric);
  EXPECT_EQ(counts.leaves, 4);
  EXPECT_EQ(counts.leaf_cables, 128);
}

TEST(RailOptimized, TwoTiersThatDoNotReachAreAShortfall) {
  RailOptimized::Config config = config_of(64);
  config.tiers = 2;
  const BuiltCluster built = rail_optimized(512, 8, config);
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].what,
            "128 leaves x 32 uplinks over 32 spines = 128 ports on each; example-switch has 64, "
            "and a third tier is ruled out");
}

TEST(RailOptimized, AGroupTooLargeForItsLeavesIsAShortfall) {
  RailOptimized::Config config = config_of(64);
  config.nodes_per_group = 40;
  const BuiltCluster built = rail_optimized(40, 8, config);
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].what,
            "a leaf needs 40 ports for hosts and 40 to 40 spines; example-switch has 64");
}

}  // namespace
}  // namespace railwright::topologies
