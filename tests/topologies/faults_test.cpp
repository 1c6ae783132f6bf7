// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/cluster/faults.hpp"

#include <gtest/gtest.h>

#include "example_cluster.hpp"
#include "railwright/core/error.hpp"
#include "railwright/topologies/assembly/apply_faults.hpp"
#include "railwright/topologies/wirings/dual_switch.hpp"
#include "railwright/topologies/wirings/rail_optimized.hpp"

namespace railwright::topologies {
namespace {

using testing::example_cluster;

RailOptimized small_rails() {
  RailOptimized::Config config;
  config.switch_model = testing::example_switch(64);
  return RailOptimized(config);
}

std::vector<core::Problem> problems(const Faults& faults, int num_nics = 8) {
  BuiltCluster built = small_rails().build(example_cluster(32, num_nics));
  return apply_faults(built.fabric, faults);
}

TEST(Faults, ADownLeafMovesItsRailToAnotherNic) {
  Cluster cluster = example_cluster(32, 8);
  cluster.faults.switches = {"leaf 3"};
  const BuiltCluster built = small_rails().build(cluster);
  for (int node = 0; node < 32; ++node) {
    EXPECT_NE(built.fabric.endpoint(node * 8 + 3).nic, 3);
    EXPECT_EQ(built.fabric.endpoint(node * 8 + 4).nic, 4);
  }
  EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(), 16 * 7 * 40e9);
}

TEST(Faults, ADownNicTouchesItsNodeOnly) {
  Cluster cluster = example_cluster(4, 8);
  cluster.faults.nics = {{.node = 2, .nic = 5}};
  const BuiltCluster built = small_rails().build(cluster);
  EXPECT_NE(built.fabric.endpoint(2 * 8 + 5).nic, 5);
  EXPECT_EQ(built.fabric.endpoint(1 * 8 + 5).nic, 5);
}

TEST(Faults, ALinkIsNamedByItsEndsInEitherOrder) {
  for (const FailedLink& link :
       {FailedLink{"leaf 3", "spine 1"}, FailedLink{"spine 1", "leaf 3"}}) {
    BuiltCluster built = small_rails().build(example_cluster(32, 8));
    EXPECT_TRUE(
        apply_faults(built.fabric, {.nics = {}, .switches = {}, .links = {link}, .nodes_slow = {}})
            .empty());
    int failed = 0;
    for (std::size_t l = 0; l < built.fabric.links().size(); ++l) {
      failed += built.fabric.is_failed(static_cast<core::LinkId>(l)) ? 1 : 0;
    }
    EXPECT_EQ(failed, 2);  // both directions of the bundle
  }
}

TEST(Faults, UnknownNamesAreExplained) {
  Faults faults;
  faults.switches = {"leef 3"};
  faults.links = {{.from = "leaf 0", .to = "leaf 1"}};
  faults.nics = {{.node = 32, .nic = 0}, {.node = 0, .nic = 8}};
  faults.nodes_slow = {{.node = 99, .speed = 0.5}};
  const auto found = problems(faults);
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].key, "nics.0.node");
  EXPECT_EQ(found[0].hint, "known: 0 to 31");
  EXPECT_EQ(found[1].message, "no NIC 8 in a node");
  EXPECT_EQ(found[2].message, "no switch 'leef 3'");
  EXPECT_EQ(found[2].hint, "did you mean 'leaf 3'? known: leaf 0 to leaf 7, spine 0 to spine 3");
  EXPECT_EQ(found[3].message, "no link from leaf 0 to leaf 1");
  EXPECT_EQ(found[4].key, "nodes_slow.0.node");
}

TEST(Faults, ANodeWithoutALiveNicIsCutOff) {
  Faults faults;
  for (int nic = 0; nic < 4; ++nic) faults.nics.push_back({.node = 7, .nic = nic});
  const auto found = problems(faults, 4);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "node 7 is cut off");
  EXPECT_EQ(found[0].hint, "none of its NICs reaches a working switch");
}

TEST(Faults, HalvesWithoutALinkBetweenThemAreCutOff) {
  BuiltCluster built = DualSwitch({testing::example_switch(64), 8}).build(example_cluster(3, 8));
  Faults faults;
  faults.links = {{.from = "leaf 0", .to = "leaf 1"}};
  const auto found = apply_faults(built.fabric, faults);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "node 2 is cut off");
}

TEST(Faults, BuildingThrowsWhereNobodyChecked) {
  Cluster cluster = example_cluster(4, 8);
  cluster.faults.switches = {"leaf 99"};
  EXPECT_THROW(small_rails().build(cluster), core::SimulationError);
}

}  // namespace
}  // namespace railwright::topologies
