// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/dual_switch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "example_cluster.hpp"

namespace railwright::topologies {
namespace {

using core::Role;
using testing::count_of;
using testing::example_cluster;

BuiltCluster dual_switch(int num_nodes, int num_nics, int inter_switch_links) {
  return DualSwitch({testing::example_switch(64), inter_switch_links})
      .build(example_cluster(num_nodes, num_nics));
}

TEST(DualSwitch, ClosedForms) {
  for (const int num_nodes : {2, 4, 8}) {
    for (const int links : {1, 8, 32}) {
      SCOPED_TRACE(num_nodes * 100 + links);
      const BuiltCluster built = dual_switch(num_nodes, 8, links);
      EXPECT_EQ(built.fabric.vertices_with(Role::kSwitch).size(), 2U);
      EXPECT_EQ(built.parts.ports_used, num_nodes * 8 + 2 * links);
      EXPECT_EQ(built.parts.ports_free, 128 - num_nodes * 8 - 2 * links);
      EXPECT_EQ(count_of(built.parts, "cable", "inter-switch link"), links);
      EXPECT_EQ(count_of(built.parts, "cable", "host link"), num_nodes * 8);
      EXPECT_TRUE(built.parts.shortfalls.empty());
      // Injection of one half, or the bundle.
      EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(),
                       std::min(num_nodes / 2 * 8, links) * 40e9);
      // Within a half the bundle is not touched.
      const int per_node = built.fabric.accelerators_per_node();
      const int last = (num_nodes - 1) * per_node;
      if (num_nodes > 2) {
        EXPECT_EQ(built.fabric.accelerator_route(0, per_node).size(), 6U);
      }
      EXPECT_EQ(built.fabric.accelerator_route(0, last).size(), 7U);
      EXPECT_DOUBLE_EQ(built.fabric.latency(built.fabric.accelerator_route(0, last)).base(), 3e-6);
    }
  }
}

TEST(DualSwitch, TwentyFourNodesDoNotFit) {
  const BuiltCluster built = dual_switch(24, 8, 16);
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].needed, 224.0);
  EXPECT_EQ(built.parts.shortfalls[0].available, 128.0);
  EXPECT_EQ(built.parts.shortfalls[0].what,
            "24 nodes x 8 NICs = 192 host ports and 2 x 16 inter-switch ports; 2 x example-switch "
            "have 128; with 4 NICs it fits at 3:1");
}

TEST(DualSwitch, TwentyFourNodesWithFourNicsFitAtThreeToOne) {
  const BuiltCluster built = dual_switch(24, 4, 16);
  EXPECT_TRUE(built.parts.shortfalls.empty());
  EXPECT_EQ(built.parts.ports_free, 0);
  EXPECT_DOUBLE_EQ(built.parts.fabric.oversubscription(), 3.0);
}

TEST(DualSwitch, AnOddNodeMayOverfillTheFirstSwitch) {
  const BuiltCluster built = dual_switch(9, 8, 25);  // 40 + 25 on the first, 122 of 128 in all
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].needed, 65.0);
  EXPECT_EQ(built.parts.shortfalls[0].available, 64.0);
}

}  // namespace
}  // namespace railwright::topologies
