// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "example_cluster.hpp"
#include "fabric_counts.hpp"
#include "railwright/topologies/fat_tree.hpp"
#include "railwright/topologies/leaf_spine.hpp"
#include "railwright/topologies/pod.hpp"
#include "railwright/topologies/rail_optimized.hpp"

namespace railwright::topologies {
namespace {

using testing::count_fabric;
using testing::example_cluster;
using namespace core::literals;  // NOLINT(google-build-using-namespace)

core::Cable cable(const char* name, double reach_metres, core::CableMedium medium,
                  core::Power end) {
  core::Cable made;
  made.name = name;
  made.reach_metres.value = reach_metres;
  made.medium = medium;
  made.nic_end_power.value = end;
  made.switch_end_power.value = end;
  return made;
}

core::Switch model_with_cables(int num_ports) {
  core::Switch model = testing::example_switch(num_ports);
  model.rack_units.value = 2;
  model.power.value = 500.0_W;
  model.cables = {cable("long", 100, core::CableMedium::kMultimode, 10.0_W),
                  cable("short", 3, core::CableMedium::kPassiveCopper, 0.0_W)};
  return model;
}

const core::SwitchTier& tier(const BuiltCluster& built, std::string_view name) {
  return *std::ranges::find(built.parts.fabric.switches, name, &core::SwitchTier::name);
}

const core::CableRun* run(const BuiltCluster& built, std::string_view from,
                          std::string_view cable) {
  for (const core::CableRun& r : built.parts.fabric.cables) {
    if (r.from == from && r.cable == cable) return &r;
  }
  return nullptr;
}

TEST(FabricBill, CountsTiersPortsPowerAndHeight) {
  RailOptimized::Config config;
  config.switch_model = model_with_cables(64);
  config.oversubscription = 3.0;
  const BuiltCluster built = RailOptimized(config).build(example_cluster(48, 8));
  EXPECT_EQ(tier(built, "leaf").count, 8);
  EXPECT_EQ(tier(built, "leaf").ports_down, 384);
  EXPECT_EQ(tier(built, "leaf").ports_up, 128);
  EXPECT_EQ(tier(built, "leaf").ports_free, 0);
  EXPECT_DOUBLE_EQ(tier(built, "leaf").oversubscription, 3.0);
  EXPECT_EQ(tier(built, "spine").count, 2);
  EXPECT_DOUBLE_EQ(tier(built, "spine").oversubscription, 0.0);
  EXPECT_EQ(built.parts.fabric.num_switches(), 10);
  EXPECT_EQ(built.parts.fabric.rack_units, 20);
  int optical = 0;
  for (const core::CableRun& r : built.parts.fabric.cables) optical += r.transceivers / 2;
  EXPECT_DOUBLE_EQ(built.parts.fabric.power.base(), 10 * 500.0 + optical * 20.0);
}

TEST(FabricBill, CablesAreAsLongAsTheFloorAsks) {
  Pod::Config config;
  config.switch_model = model_with_cables(64);
  config.nodes_per_pod = 4;
  const BuiltCluster built = Pod(config).build(example_cluster(32, 8));
  // A pod is a rack, so that its switch stands in it; the upper switches stand in the middle of
  // eight racks, half a rack from the nearest and three and a half from the farthest.
  ASSERT_NE(run(built, "node", "short"), nullptr);
  EXPECT_EQ(run(built, "node", "short")->count, 256);
  EXPECT_EQ(run(built, "node", "long"), nullptr);
  ASSERT_NE(run(built, "leaf", "long"), nullptr);
  EXPECT_EQ(run(built, "leaf", "short")->count, 64);
  EXPECT_EQ(run(built, "leaf", "long")->count, 192);
  EXPECT_EQ(run(built, "leaf", "long")->transceivers, 384);
  EXPECT_NEAR(run(built, "leaf", "long")->longest_m, 5.0 + 3.5 * 0.6, 1e-9);
}

TEST(FabricBill, FrontEndIsATierOfItsOwn) {
  Cluster cluster = example_cluster(4, 8);
  cluster.storage = testing::example_storage(3);
  RailOptimized::Config config;
  config.switch_model = model_with_cables(64);
  const BuiltCluster built = RailOptimized(config).build(cluster);
  const core::SwitchTier& front = tier(built, core::kFrontEndTier);
  EXPECT_EQ(front.count, 2);
  EXPECT_EQ(front.ports_down, 4 * 2 + 3 * 2);
  EXPECT_EQ(front.ports_up, 2 * 2);
  EXPECT_EQ(built.parts.fabric.num_switches(), 9);
}

void expect_within_ports(const BuiltCluster& built, int num_ports, double ratio) {
  EXPECT_EQ(count_fabric(built.fabric).host_cables,
            static_cast<int>(built.fabric.vertices_with(core::Role::kNic).size()));
  if (!built.parts.shortfalls.empty()) return;
  for (const auto& [label, ports] : count_fabric(built.fabric).ports) {
    EXPECT_LE(ports, num_ports) << label;
  }
  for (const core::SwitchTier& t : built.parts.fabric.switches) {
    EXPECT_LE(t.oversubscription, ratio + 1e-9) << t.name;
  }
}

// Whatever is asked: a switch with more cables than ports comes with a shortfall.
TEST(FabricBill, NoSwitchIsOverfilledInSilence) {
  for (const int num_ports : {8, 16, 40, 64}) {
    for (const int num_nodes : {1, 2, 3, 5, 9, 17, 33, 64, 100}) {
      for (const int num_nics : {4, 8}) {
        for (const double ratio : {0.5, 1.0, 1.5, 3.0}) {
          SCOPED_TRACE(::testing::Message() << num_ports << " ports, " << num_nodes << " nodes, "
                                            << num_nics << " NICs, " << ratio);
          RailOptimized::Config rail;
          rail.switch_model = testing::example_switch(num_ports);
          rail.oversubscription = ratio;
          rail.spine_oversubscription = ratio;
          FatTree::Config tree;
          tree.switch_model = rail.switch_model;
          tree.oversubscription = ratio;
          tree.spine_oversubscription = ratio;
          LeafSpine::Config flat;
          flat.switch_model = rail.switch_model;
          flat.oversubscription = ratio;
          flat.nics = LeafChoice::kDealt;
          const Cluster cluster = example_cluster(num_nodes, num_nics);
          expect_within_ports(RailOptimized(rail).build(cluster), num_ports, ratio);
          expect_within_ports(FatTree(tree).build(cluster), num_ports, ratio);
          expect_within_ports(LeafSpine(flat).build(cluster), num_ports, ratio);
        }
      }
    }
  }
}

}  // namespace
}  // namespace railwright::topologies
