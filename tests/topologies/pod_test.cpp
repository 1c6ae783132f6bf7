// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/pod.hpp"

#include <gtest/gtest.h>

#include "example_cluster.hpp"
#include "fabric_counts.hpp"

namespace railwright::topologies {
namespace {

using testing::count_fabric;
using testing::example_cluster;
using testing::FabricCounts;

Pod::Config figure() {
  Pod::Config config;
  config.switch_model = testing::example_switch(64);
  config.nodes_per_pod = 4;
  config.upper_switches = 4;
  config.links = 8;
  return config;
}

TEST(Pod, TheFigureOfTheDocument) {
  const BuiltCluster built = Pod(figure()).build(example_cluster(32, 8));
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 8);
  EXPECT_EQ(counts.spines, 4);
  EXPECT_EQ(counts.host_cables, 256);
  EXPECT_EQ(counts.leaf_cables, 256);
  for (const auto& [label, ports] : counts.ports) EXPECT_EQ(ports, 64) << label;
  EXPECT_TRUE(built.parts.shortfalls.empty());
  EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(), 128 * 40e9);
}

TEST(Pod, ComputesTheUpperSwitches) {
  Pod::Config config = figure();
  config.upper_switches.reset();
  config.links.reset();
  const FabricCounts counts = count_fabric(Pod(config).build(example_cluster(32, 8)).fabric);
  EXPECT_EQ(counts.spines, 4);
  EXPECT_EQ(counts.leaf_cables, 256);
}

TEST(Pod, OnePodNeedsNothingAbove) {
  const BuiltCluster built = Pod(figure()).build(example_cluster(4, 8));
  EXPECT_EQ(count_fabric(built.fabric).spines, 0);
  EXPECT_TRUE(built.parts.shortfalls.empty());
}

TEST(Pod, NinePodsOverfillTheUpperSwitches) {
  const BuiltCluster built = Pod(figure()).build(example_cluster(33, 8));
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].needed, 72.0);
  EXPECT_EQ(built.parts.shortfalls[0].available, 64.0);
}

TEST(Pod, FiveNodesOverfillAPodSwitch) {
  Pod::Config config = figure();
  config.nodes_per_pod = 5;
  const BuiltCluster built = Pod(config).build(example_cluster(10, 8));
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].what,
            "a leaf needs 40 ports for hosts and 32 to 4 spines; example-switch has 64");
}

}  // namespace
}  // namespace railwright::topologies
