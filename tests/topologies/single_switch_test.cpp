// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/single_switch.hpp"

#include <gtest/gtest.h>

#include "example_cluster.hpp"

namespace railwright::topologies {
namespace {

using core::Role;
using testing::count_of;
using testing::example_cluster;

TEST(SingleSwitch, ClosedForms) {
  for (const int num_nodes : {1, 2, 3, 8}) {
    for (const int num_nics : {1, 4, 8}) {
      SCOPED_TRACE(testing::example_cluster(num_nodes, num_nics).num_nodes * 100 + num_nics);
      const BuiltCluster built =
          SingleSwitch({testing::example_switch(64)}).build(example_cluster(num_nodes, num_nics));
      const core::Fabric& fabric = built.fabric;
      EXPECT_EQ(fabric.num_nodes(), num_nodes);
      EXPECT_EQ(fabric.accelerators_per_node(), 8);
      EXPECT_EQ(fabric.vertices_with(Role::kSwitch).size(), 1U);
      EXPECT_EQ(fabric.vertices_with(Role::kNic).size(),
                static_cast<std::size_t>(num_nodes * num_nics));
      EXPECT_EQ(built.parts.ports_used, num_nodes * num_nics);
      EXPECT_EQ(built.parts.ports_free, 64 - num_nodes * num_nics);
      EXPECT_TRUE(built.parts.shortfalls.empty());
      EXPECT_EQ(count_of(built.parts, "cable", "host link"), num_nodes * num_nics);
      EXPECT_EQ(count_of(built.parts, "switch", "example-switch"), 1);
      EXPECT_EQ(count_of(built.parts, "node", "example-node"), num_nodes);
      EXPECT_EQ(count_of(built.parts, "nic", "example-nic"), num_nodes * num_nics);
      // The smaller half's NICs; within one node, four accelerators into the scale-up switch and
      // over PCIe besides.
      if (num_nodes >= 2) {
        EXPECT_DOUBLE_EQ(fabric.bisection_bandwidth().base(), num_nodes / 2 * num_nics * 40e9);
      } else {
        EXPECT_GE(fabric.bisection_bandwidth().base(), 4 * 360e9);
      }
    }
  }
}

TEST(SingleSwitch, TooFewPortsAreAShortfallNotAnError) {
  const BuiltCluster built =
      SingleSwitch({testing::example_switch(64)}).build(example_cluster(9, 8));
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].needed, 72.0);
  EXPECT_EQ(built.parts.shortfalls[0].available, 64.0);
  EXPECT_EQ(built.parts.shortfalls[0].what,
            "9 nodes x 8 NICs need 72 ports; example-switch has 64");
  EXPECT_EQ(built.parts.ports_free, 0);
}

/// Nothing leaves the only node of a fabric, so that it needs no port and no switch.
TEST(SingleSwitch, OneNodeNeedsNoPorts) {
  const SingleSwitch topology({testing::example_switch(4)});
  const BuiltCluster alone = topology.build(example_cluster(1, 8));
  EXPECT_TRUE(alone.parts.shortfalls.empty());
  EXPECT_EQ(alone.parts.ports_used, 0);
  EXPECT_EQ(alone.parts.fabric.num_switches(), 0);
  EXPECT_TRUE(alone.fabric.vertices_with(Role::kSwitch).empty());

  EXPECT_EQ(topology.build(example_cluster(2, 8)).parts.shortfalls.size(), 1U);
  Cluster among_others = example_cluster(1, 8);
  among_others.placement.of_nodes = 2;
  EXPECT_EQ(topology.build(among_others).parts.shortfalls.size(), 1U)
      << "the other node's traffic needs the switch";
}

TEST(SingleSwitch, CountsThePortsOfANic) {
  Cluster cluster = example_cluster(4, 8);
  cluster.node.nics.nic.num_ports = 2;
  const BuiltCluster built = SingleSwitch({testing::example_switch(64)}).build(cluster);
  EXPECT_EQ(built.parts.ports_used, 64);
  EXPECT_EQ(built.fabric.narrowest(core::Tier::kInjection).base(), 80e9);
}

TEST(SingleSwitch, TooFewSlotsAreAShortfall) {
  Cluster cluster = example_cluster(2, 8);
  cluster.node.nic_slots.value = 8;
  const BuiltCluster built = SingleSwitch({testing::example_switch(64)}).build(cluster);
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].needed, 9.0);
  EXPECT_EQ(built.parts.shortfalls[0].available, 8.0);
}

}  // namespace
}  // namespace railwright::topologies
