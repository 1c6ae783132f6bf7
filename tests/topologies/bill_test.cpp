// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "example_cluster.hpp"
#include "fabric_counts.hpp"
#include "railwright/topologies/wirings/fat_tree.hpp"
#include "railwright/topologies/wirings/leaf_spine.hpp"
#include "railwright/topologies/wirings/pod.hpp"
#include "railwright/topologies/wirings/rail_optimized.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {
namespace {

using testing::count_fabric;
using testing::example_cluster;
using namespace core::literals;  // NOLINT(google-build-using-namespace)

core::Cable cable(const char* name, double reach_metres, core::CableMedium medium,
                  core::Power end) {
  core::Cable made;
  made.name = name;
  made.rate.value = 400.0_Gbps;
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

TEST(FabricBill, EverythingHasItsHeightAndPower) {
  Cluster cluster = example_cluster(4, 8);
  cluster.node.rack_units.value = 6;
  StorageCluster& storage = cluster.storage.emplace();
  storage.front_end_switch = model_with_cables(64);
  storage.count = 3;
  storage.node.name = "example-storage";
  storage.node.num_front_end_ports.value = 2;
  storage.node.front_end_port_rate.value = 100.0_Gbps;
  storage.node.front_end_efficiency.value = 0.9;
  storage.node.min_nodes.value = 3;
  storage.node.max_nodes.value = 64;
  storage.node.rack_units.value = 1;
  storage.node.power.value = 600.0_W;
  CpuNodeGroup group;
  group.node.name = "example-cpu-node";
  group.node.rack_units.value = 2;
  group.node.power.value = 400.0_W;
  group.node.front_end.count = 1;
  group.node.front_end.nic.name = "example-nic";
  group.node.front_end.nic.line_rate.value = 100.0_Gbps;
  group.node.front_end.transport.efficiency.value = 1.0;
  group.count = 3;
  cluster.control_plane = group;
  group.count = 2;
  cluster.data_preparation = group;
  const BuiltCluster built = SingleSwitch({model_with_cables(64)}).build(cluster);
  const auto part = [&](std::string_view kind) {
    return *std::ranges::find(built.parts.parts, kind, &core::Part::kind);
  };
  EXPECT_EQ(part("cpu_node").count, 5);
  EXPECT_EQ(part("cpu_node").rack_units, 10);
  EXPECT_DOUBLE_EQ(part("cpu_node").power.base(), 2000.0);
  EXPECT_EQ(part("node").rack_units, 24);
  EXPECT_DOUBLE_EQ(part("storage_node").power.base(), 1800.0);
  EXPECT_EQ(part("switch").rack_units, 0);  // it is in the bill of the fabric
  EXPECT_EQ(built.parts.fabric.rack_units, 6);
  EXPECT_EQ(built.parts.rack_units(), 24 + 3 + 10 + 6);
  EXPECT_DOUBLE_EQ(built.parts.power().base(), 1800.0 + 2000.0 + built.parts.fabric.power.base());
}

/// A 400 Gb/s breakout serves four ports of 100 Gb/s; a run on two switches takes whole ones of
/// each.
TEST(FabricBill, ABreakoutIsOneCable) {
  Cluster cluster = example_cluster(5, 0);
  cluster.storage = testing::example_storage(3);
  core::Switch& front = *cluster.storage->front_end_switch;
  front.cables = {cable("breakout", 100, core::CableMedium::kSingleMode, 2.0_W),
                  cable("too fast", 100, core::CableMedium::kSingleMode, 2.0_W)};
  front.cables.front().rate.value = 100.0_Gbps;
  front.cables.front().far_ends = 4;
  cluster.storage->peer_links = 0;
  const BuiltCluster built = SingleSwitch({testing::example_switch(64)}).build(cluster);
  const core::CableRun& nodes = *run(built, "node", "breakout");
  EXPECT_EQ(nodes.far_ends, 10);
  EXPECT_EQ(nodes.count, 4);  // five on each of two switches
  EXPECT_EQ(nodes.transceivers, 4 + 10);
  EXPECT_DOUBLE_EQ(nodes.power.base(), 14 * 2.0);
  EXPECT_EQ(run(built, "storage node", "breakout")->count, 2);
  EXPECT_EQ(run(built, "node", "too fast"), nullptr);
}

/// Ports of 400 Gb/s that carry 100 are counted, and the entry with split ports is named.
TEST(FabricBill, SaysWhichPortsCouldBeSplit) {
  Cluster cluster = example_cluster(5, 0);
  cluster.storage = testing::example_storage(3);
  core::Switch& front = *cluster.storage->front_end_switch;
  front.port_rate.value = 400.0_Gbps;
  front.split = "four times as many";
  front.split_ways = 4;
  const auto front_end = [&] {
    return tier(SingleSwitch({testing::example_switch(64)}).build(cluster), core::kFrontEndTier);
  };
  EXPECT_EQ(front_end().split, "four times as many");
  EXPECT_EQ(front_end().ports_slow, 5 * 2 + 3 * 2);
  front.port_rate.value = 200.0_Gbps;  // a quarter of which is too slow
  EXPECT_EQ(front_end().ports_slow, 0);
  front.split = front.name;
  EXPECT_EQ(front_end().split, "");
}

}  // namespace
}  // namespace railwright::topologies
