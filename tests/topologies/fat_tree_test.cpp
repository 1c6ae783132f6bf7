// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/fat_tree.hpp"

#include <gtest/gtest.h>

#include "example_cluster.hpp"
#include "fabric_counts.hpp"

namespace railwright::topologies {
namespace {

using testing::count_fabric;
using testing::example_cluster;
using testing::FabricCounts;

BuiltCluster build(int num_nodes, int num_nics, int num_ports,
                   std::optional<int> tiers = std::nullopt) {
  FatTree::Config config;
  config.switch_model = testing::example_switch(num_ports);
  config.tiers = tiers;
  return FatTree(config).build(example_cluster(num_nodes, num_nics));
}

TEST(FatTree, FullThreeTierTreesAreTheKaryOnes) {
  for (const int k : {4, 8, 16}) {
    SCOPED_TRACE(k);
    const int hosts = k * k * k / 4;
    const BuiltCluster built = build(hosts / 4, 4, k);
    const FabricCounts counts = count_fabric(built.fabric);
    EXPECT_EQ(counts.leaves, k * k / 2);
    EXPECT_EQ(counts.spines, k * k / 2);
    EXPECT_EQ(counts.cores, k * k / 4);
    EXPECT_EQ(counts.leaf_cables, hosts);
    EXPECT_EQ(counts.spine_cables, hosts);
    for (const auto& [label, ports] : counts.ports) EXPECT_EQ(ports, k) << label;
    EXPECT_TRUE(built.parts.shortfalls.empty());
    EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(), hosts / 2 * 40e9);
  }
}

TEST(FatTree, FullTwoTierTreesHaveKSquaredOverTwoHosts) {
  const BuiltCluster built = build(16, 8, 16);
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 16);
  EXPECT_EQ(counts.spines, 8);
  EXPECT_EQ(counts.cores, 0);
  EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(), 64 * 40e9);
}

/// 4 of 8 ports down are 2 NICs of 2 ports, which go up over 4 ports again.
TEST(FatTree, NicsOfTwoPortsTakeTwoPortsOfTheirLeafAndOfThoseAbove) {
  topologies::Cluster cluster = example_cluster(4, 4);
  cluster.node.nics.nic.num_ports = 2;
  FatTree::Config config;
  config.switch_model = testing::example_switch(8);
  const BuiltCluster built = FatTree(config).build(cluster);
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 8);
  EXPECT_EQ(counts.host_cables, 32);
  EXPECT_EQ(counts.leaf_cables, 32);
  EXPECT_EQ(counts.spines, 4);
  EXPECT_TRUE(built.parts.shortfalls.empty());
}

TEST(FatTree, MoreHostsThanThreeTiersCarryAreAShortfall) {
  const BuiltCluster built = build(5, 4, 4);  // 20 hosts; 4-port switches carry 16
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].what,
            "5 pods need 5 ports on each core switch; example-switch has 4");
}

TEST(FatTree, TwoTiersThatDoNotReachAreAShortfall) {
  EXPECT_FALSE(build(8, 4, 4, 2).parts.shortfalls.empty());
  EXPECT_FALSE(build(8, 4, 4, 1).parts.shortfalls.empty());
}

}  // namespace
}  // namespace railwright::topologies
