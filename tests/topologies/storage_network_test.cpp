// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/assembly/storage_network.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "example_cluster.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {
namespace {

using core::Role;
using core::Tier;
using core::VertexId;
using testing::count_of;

BuiltCluster with_storage(int num_nodes, const StorageCluster& storage, int ports = 2) {
  Cluster cluster = testing::example_cluster(num_nodes, 8);
  cluster.node.front_end.nic.num_ports = ports;
  cluster.storage = storage;
  return SingleSwitch({testing::example_switch(256)}).build(cluster);
}

TEST(StorageNetwork, ClosedForms) {
  const BuiltCluster built = with_storage(4, testing::example_storage(3));
  const core::Fabric& fabric = built.fabric;
  EXPECT_EQ(fabric.vertices_with(Role::kFrontEndSwitch).size(), 2U);
  EXPECT_EQ(fabric.vertices_with(Role::kSwitch).size(), 1U);
  EXPECT_EQ(fabric.vertices_with(Role::kStorageNode).size(), 3U);
  EXPECT_EQ(count_of(built.parts, "storage_node", "example-storage-node"), 3);
  EXPECT_EQ(count_of(built.parts, "switch", "example-front-end-switch"), 2);
  EXPECT_EQ(count_of(built.parts, "cable", "front-end link"), 8);
  EXPECT_EQ(count_of(built.parts, "cable", "storage link"), 6);
  EXPECT_EQ(count_of(built.parts, "cable", "front-end peer link"), 2);
  EXPECT_EQ(count_of(built.parts, "nic", "example-front-end-nic"), 4);
  EXPECT_TRUE(built.parts.shortfalls.empty());
  EXPECT_DOUBLE_EQ(fabric.narrowest(Tier::kStorage).base(), 11.25e9);
  // Storage does not widen the scale-out fabric.
  EXPECT_DOUBLE_EQ(fabric.bisection_bandwidth().base(), 2 * 8 * 40e9);
}

TEST(StorageNetwork, EveryNodeReachesEveryStorageNodeOverBothSwitches) {
  const BuiltCluster built = with_storage(3, testing::example_storage(3));
  for (int node = 0; node < 3; ++node) {
    const VertexId nic = built.fabric.vertices_with(Role::kFrontEndNic, node).at(0);
    for (const VertexId storage : built.fabric.vertices_with(Role::kStorageNode)) {
      EXPECT_EQ(built.fabric.route(nic, storage).size(), 2U);
      const std::vector<core::LinkUse> uses = built.fabric.spread_route(nic, storage);
      ASSERT_EQ(uses.size(), 4U);
      for (const core::LinkUse& use : uses) EXPECT_DOUBLE_EQ(use.coefficient, 0.5);
    }
  }
}

TEST(StorageNetwork, SinglePortsAlternateFromNodeToNode) {
  const BuiltCluster built = with_storage(4, testing::example_storage(3), 1);
  const std::vector<VertexId> switches = built.fabric.vertices_with(Role::kFrontEndSwitch);
  for (int node = 0; node < 4; ++node) {
    const VertexId nic = built.fabric.vertices_with(Role::kFrontEndNic, node).at(0);
    const VertexId here = switches.at(static_cast<std::size_t>(node) % 2);
    EXPECT_EQ(built.fabric.route(nic, here).size(), 1U);
  }
}

TEST(StorageNetwork, NamesWhatDoesNotFit) {
  EXPECT_EQ(with_storage(2, testing::example_storage(2)).parts.shortfalls.size(), 1U);
  EXPECT_EQ(with_storage(2, testing::example_storage(11)).parts.shortfalls.size(), 1U);
  // 28 + 3 + 2 ports on each switch.
  const BuiltCluster crowded = with_storage(28, testing::example_storage(3));
  ASSERT_EQ(crowded.parts.shortfalls.size(), 1U);
  EXPECT_EQ(crowded.parts.shortfalls[0].needed, 33.0);
  EXPECT_EQ(crowded.parts.shortfalls[0].available, 32.0);
}

TEST(StorageNetwork, CountsTheBackEndThatItIsGiven) {
  StorageCluster storage = testing::example_storage(5);
  storage.node.num_back_end_ports.value = 3;
  const BuiltCluster without = with_storage(2, storage);
  EXPECT_EQ(count_of(without.parts, "cable", "storage back-end link"), 0);
  storage.back_end_switch = testing::example_switch(8);
  storage.back_end_switch->name = "example-back-end-switch";
  storage.back_end_switch->rack_units.value = 1;
  storage.back_end_switch->power.value = core::Power::from_base(500);
  const BuiltCluster with = with_storage(2, storage);
  EXPECT_EQ(count_of(with.parts, "switch", "example-back-end-switch"), 2);
  EXPECT_EQ(count_of(with.parts, "cable", "storage back-end link"), 5 * 3);
  EXPECT_EQ(with.parts.rack_units() - without.parts.rack_units(), 2);
  EXPECT_DOUBLE_EQ((with.parts.power() - without.parts.power()).base(), 1000.0);
  EXPECT_EQ(with.fabric.links().size(), without.fabric.links().size()) << "no client's flow on it";
  EXPECT_TRUE(with.parts.shortfalls.empty()) << "eight ports on one switch, seven on the other";

  storage.back_end_switch->num_ports.value = 7;
  const BuiltCluster crowded = with_storage(2, storage);
  ASSERT_EQ(crowded.parts.shortfalls.size(), 1U);
  EXPECT_EQ(crowded.parts.shortfalls[0].needed, 8.0);
  EXPECT_EQ(crowded.parts.shortfalls[0].available, 7.0);

  storage.node.num_back_end_ports.value = 0;
  EXPECT_EQ(count_of(with_storage(2, storage).parts, "switch", "example-back-end-switch"), 0);
}

TEST(StorageNetwork, OneSwitchNeedsNoPeerLinks) {
  StorageCluster storage = testing::example_storage(3);
  storage.num_switches = 1;
  const BuiltCluster built = with_storage(2, storage);
  EXPECT_EQ(count_of(built.parts, "cable", "front-end peer link"), 0);
  // Both ports of a NIC lead to it as one link.
  EXPECT_DOUBLE_EQ(built.fabric.narrowest(Tier::kFrontEnd).base(), 22.5e9);
}

CpuNodeGroup example_cpu_nodes(int count) {
  CpuNodeGroup group;
  group.node.name = "example-cpu-node";
  group.node.front_end = testing::example_node(8, core::NicWiring::kShared).front_end;
  group.count = count;
  return group;
}

Cluster cluster_with_cpu_nodes(int num_nodes, int num_control, int num_preparing) {
  Cluster cluster = testing::example_cluster(num_nodes, 8);
  cluster.node.front_end.count = 2;
  cluster.storage = testing::example_storage(3);
  cluster.control_plane = example_cpu_nodes(num_control);
  cluster.data_preparation = example_cpu_nodes(num_preparing);
  return cluster;
}

TEST(StorageNetwork, ControlPlaneAndDataPreparationTakePorts) {
  const BuiltCluster built =
      SingleSwitch({testing::example_switch(256)}).build(cluster_with_cpu_nodes(6, 3, 2));
  EXPECT_EQ(count_of(built.parts, "cpu_node", "example-cpu-node"), 5);
  EXPECT_EQ(count_of(built.parts, "nic", "example-front-end-nic"), 6 * 2 + 5);
  EXPECT_EQ(count_of(built.parts, "cable", "front-end link"), 6 * 4 + 5 * 2);
  EXPECT_TRUE(built.parts.shortfalls.empty());
  // They count on from the nodes and reach the storage as those do.
  const VertexId nic = built.fabric.vertices_with(Role::kFrontEndNic, 6 + 4).at(0);
  EXPECT_EQ(built.fabric.vertices_with(Role::kFrontEndNic, 6 + 5).size(), 0U);
  for (const VertexId storage : built.fabric.vertices_with(Role::kStorageNode)) {
    EXPECT_EQ(built.fabric.route(nic, storage).size(), 2U);
  }
}

TEST(StorageNetwork, TheControlPlaneMayNotFitEither) {
  // On each of two switches of 32 ports: 12 x 2 for nodes, 3 for storage, 2 between them, 3 left.
  const auto shortfalls = [](int num_control, int num_preparing) {
    return SingleSwitch({testing::example_switch(256)})
        .build(cluster_with_cpu_nodes(12, num_control, num_preparing))
        .parts.shortfalls;
  };
  EXPECT_TRUE(shortfalls(2, 1).empty());
  ASSERT_EQ(shortfalls(2, 2).size(), 1U);
  EXPECT_EQ(shortfalls(2, 2)[0].needed, 33.0);
  EXPECT_EQ(shortfalls(2, 2)[0].available, 32.0);
}

/// 64 nodes with ten storage nodes behind leaves and spines; the fabric has ports for all.
Cluster large_cluster() {
  Cluster cluster = testing::example_cluster(64, 8);
  cluster.storage = testing::example_storage(10);
  cluster.storage->wiring = FrontEndWiring::kLeafSpine;
  return cluster;
}

BuiltCluster build_large(const Cluster& cluster) {
  return SingleSwitch({testing::example_switch(1024)}).build(cluster);
}

/// 64 nodes of two ports and ten storage nodes of two, all of 100 Gb/s, on switches of 32 ports.
/// Storage carries less, 2 Tb/s: L leaves have 20 / L uplinks each. Of five leaves each would need
/// 26 + 4 ports and 4 uplinks, of six 22 + 4 and 4: 30 of 32.
TEST(StorageNetwork, LeavesAndSpinesAreAsManyAsThePortsTake) {
  const BuiltCluster built = build_large(large_cluster());
  EXPECT_TRUE(built.parts.shortfalls.empty());
  EXPECT_EQ(built.fabric.vertices_with(Role::kFrontEndSwitch).size(), 6U + 4U);
  EXPECT_EQ(count_of(built.parts, "switch", "example-front-end-switch"), 10);
  EXPECT_EQ(count_of(built.parts, "cable", "front-end peer link"), 24);
  EXPECT_EQ(count_of(built.parts, "cable", "front-end link"), 128);
  // Node 0 is on leaves 0 and 1, storage node 1 on 2 and 3: over every spine, a quarter each.
  const VertexId nic = built.fabric.vertices_with(Role::kFrontEndNic, 0).at(0);
  const VertexId far = built.fabric.vertices_with(Role::kStorageNode).at(1);
  EXPECT_EQ(built.fabric.route(nic, far).size(), 4U);
  double over_spines = 0.0;
  for (const core::LinkUse& use : built.fabric.spread_route(nic, far)) {
    const core::Link& link = built.fabric.links()[static_cast<std::size_t>(use.link)];
    if (built.fabric.vertices()[static_cast<std::size_t>(link.to)].level != 1) continue;
    EXPECT_DOUBLE_EQ(use.coefficient, 0.125);
    over_spines += use.coefficient;
  }
  EXPECT_DOUBLE_EQ(over_spines, 1.0);
}

/// With eight ports a spine joins eight leaves, which have 48 ports for 148 devices.
TEST(StorageNetwork, ASpineHasAPortForEachLeaf) {
  Cluster cluster = large_cluster();
  cluster.storage->front_end_switch->num_ports.value = 8;
  const BuiltCluster built = build_large(cluster);
  ASSERT_FALSE(built.parts.shortfalls.empty());
  EXPECT_EQ(built.parts.shortfalls.front().tier, core::kFrontEndTier);
}

/// 64 nodes of two management ports, ten storage nodes, a fabric switch and ten of the front end:
/// 149 ports, on switches of 48 four, whose eight uplinks two more take.
TEST(ManagementNetwork, HasAPortForEverything) {
  Cluster cluster = large_cluster();
  cluster.management.emplace();
  cluster.management->access_switch = testing::example_switch(48);
  cluster.management->access_switch.name = "access";
  cluster.management->access_switch.rack_units.value = 1;
  cluster.management->ports_per_node = 2;
  core::PartsList parts = build_large(cluster).parts;
  ASSERT_EQ(parts.shortfalls.size(), 1U);
  EXPECT_EQ(parts.shortfalls.front().tier, "management");
  cluster.management->aggregation_switch = testing::example_switch(32);
  cluster.management->aggregation_switch->name = "aggregation";
  parts = build_large(cluster).parts;
  EXPECT_TRUE(parts.shortfalls.empty());
  EXPECT_EQ(count_of(parts, "cable", "management link"), 149);
  EXPECT_EQ(count_of(parts, "switch", "access"), 4);
  EXPECT_EQ(count_of(parts, "cable", "management uplink"), 8);
  EXPECT_EQ(count_of(parts, "switch", "aggregation"), 2);
}

}  // namespace
}  // namespace railwright::topologies
