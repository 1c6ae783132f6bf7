// SPDX-License-Identifier: Apache-2.0
// Storage nodes on the leaves of the scale-out fabric.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "example_cluster.hpp"
#include "railwright/topologies/assembly/apply_faults.hpp"
#include "railwright/topologies/wirings/dual_switch.hpp"
#include "railwright/topologies/wirings/fat_tree.hpp"
#include "railwright/topologies/wirings/leaf_spine.hpp"
#include "railwright/topologies/wirings/multi_plane.hpp"
#include "railwright/topologies/wirings/pod.hpp"
#include "railwright/topologies/wirings/rail_optimized.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {
namespace {

using core::Role;
using core::Tier;
using core::VertexId;
using testing::count_of;
using testing::example_switch;

Cluster cluster_with_storage(int num_nodes, int num_storage_nodes) {
  Cluster cluster = testing::example_cluster(num_nodes, 8);
  cluster.storage = testing::example_storage(num_storage_nodes);
  cluster.storage->network = StorageAttachment::kScaleOut;
  cluster.storage->front_end_switch.reset();
  return cluster;
}

LeafSpine leaf_spine(int num_leaves, int num_ports) {
  LeafSpine::Config config;
  config.switch_model = example_switch(num_ports);
  config.num_leaves = num_leaves;
  return LeafSpine(config);
}

/// Labels of the switches that storage node `i` is plugged into.
std::vector<std::string> switches_of(const core::Fabric& fabric, int i) {
  std::vector<std::string> labels;
  for (const VertexId leaf : fabric.leaves_of(fabric.vertices_with(Role::kStorageNode, i).at(0))) {
    labels.push_back(fabric.vertices()[static_cast<std::size_t>(leaf)].label);
  }
  return labels;
}

using Labels = std::vector<std::string>;

TEST(ScaleOutStorage, ClosedForms) {
  const BuiltCluster built = SingleSwitch({example_switch(256)}).build(cluster_with_storage(4, 3));
  const core::Fabric& fabric = built.fabric;
  EXPECT_TRUE(fabric.vertices_with(Role::kFrontEndSwitch).empty());
  EXPECT_EQ(fabric.vertices_with(Role::kStorageNode).size(), 3U);
  EXPECT_EQ(count_of(built.parts, "storage_node", "example-storage-node"), 3);
  EXPECT_EQ(count_of(built.parts, "switch", "example-switch"), 1);
  EXPECT_EQ(count_of(built.parts, "cable", "storage link"), 6);
  EXPECT_EQ(count_of(built.parts, "cable", "front-end link"), 0);
  EXPECT_EQ(built.parts.ports_used, 4 * 8 + 6);
  EXPECT_TRUE(built.parts.shortfalls.empty());
  // Both ports of a node lead to the one switch: a link of 2 x 12.5 GB/s at 0.9.
  EXPECT_DOUBLE_EQ(fabric.narrowest(Tier::kStorage).base(), 22.5e9);
  EXPECT_DOUBLE_EQ(fabric.bisection_bandwidth().base(), 2 * 8 * 40e9) << "storage widens nothing";
  ASSERT_EQ(built.parts.fabric.switches.size(), 1U);
  EXPECT_EQ(built.parts.fabric.switches[0].ports_down, 4 * 8 + 6);
  int cables = 0;
  for (const core::CableRun& run : built.parts.fabric.cables) cables += run.count;
  EXPECT_EQ(cables, 4 * 8 + 6);
}

TEST(ScaleOutStorage, PortsAreDealtOverTheLeavesInTurn) {
  const BuiltCluster built = leaf_spine(4, 64).build(cluster_with_storage(8, 3));
  EXPECT_EQ(switches_of(built.fabric, 0), (Labels{"leaf 0", "leaf 1"}));
  EXPECT_EQ(switches_of(built.fabric, 1), (Labels{"leaf 2", "leaf 3"}));
  EXPECT_EQ(switches_of(built.fabric, 2), (Labels{"leaf 0", "leaf 1"}));
  EXPECT_TRUE(built.parts.shortfalls.empty());
}

/// Three nodes of eight NICs on leaf 0 and two on leaf 1, 24 uplinks each: 0 and 8 ports are left
/// of 48.
TEST(ScaleOutStorage, AFullLeafIsPassedOver) {
  const BuiltCluster built = leaf_spine(2, 48).build(cluster_with_storage(5, 4));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(switches_of(built.fabric, i), Labels{"leaf 1"}) << i;
  EXPECT_TRUE(built.parts.shortfalls.empty());
}

TEST(ScaleOutStorage, WhatDoesNotFitIsSaidWithNumbers) {
  const BuiltCluster built = leaf_spine(2, 48).build(cluster_with_storage(5, 5));
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].what,
            "leaf 0 needs 25 ports downwards, 1 of them to storage, and 24 upwards; "
            "example-switch has 48");
  EXPECT_EQ(built.parts.shortfalls[0].needed, 49.0);
  EXPECT_EQ(built.parts.shortfalls[0].available, 48.0);
  const BuiltCluster too_few =
      SingleSwitch({example_switch(256)}).build(cluster_with_storage(2, 2));
  ASSERT_EQ(too_few.parts.shortfalls.size(), 1U) << "the device starts at three nodes";
}

MultiPlane two_planes() {
  MultiPlane::Config config;
  config.planes = 2;
  MultiPlane planes(config);
  RailOptimized::Config rail;
  rail.switch_model = example_switch(64);
  planes.set_plane(std::make_unique<RailOptimized>(rail));
  return planes;
}

TEST(ScaleOutStorage, PortsAlternateBetweenPlanes) {
  Cluster cluster = cluster_with_storage(8, 3);
  cluster.node.nics.nic.num_ports = 2;
  const BuiltCluster built = two_planes().build(cluster);
  EXPECT_EQ(switches_of(built.fabric, 0), (Labels{"plane 0 leaf 0", "plane 1 leaf 0"}));
  EXPECT_EQ(switches_of(built.fabric, 1), (Labels{"plane 0 leaf 1", "plane 1 leaf 1"}));
  EXPECT_TRUE(built.parts.shortfalls.empty());
}

void expect_ways(const Topology& topology, const Cluster& cluster, const char* name) {
  const BuiltCluster built = topology.build(cluster);
  EXPECT_TRUE(built.parts.shortfalls.empty()) << name;
  for (const VertexId storage : built.fabric.vertices_with(Role::kStorageNode)) {
    for (const VertexId nic : built.fabric.vertices_with(Role::kNic)) {
      double leaving = 0.0;
      double arriving = 0.0;
      for (const core::LinkUse& use : built.fabric.spread_route(nic, storage)) {
        const core::Link& link = built.fabric.links()[static_cast<std::size_t>(use.link)];
        if (link.from == nic) leaving += use.coefficient;
        if (link.to == storage) arriving += use.coefficient;
      }
      EXPECT_NEAR(leaving, 1.0, 1e-12) << name;
      EXPECT_NEAR(arriving, 1.0, 1e-12) << name;
    }
  }
}

TEST(ScaleOutStorage, EveryTopologyLeadsEveryNicToEveryStorageNode) {
  const core::Switch model = example_switch(64);
  const Cluster cluster = cluster_with_storage(6, 3);
  expect_ways(SingleSwitch({model}), cluster, "single_switch");
  DualSwitch::Config dual;
  dual.switch_model = model;
  dual.inter_switch_links = 16;
  expect_ways(DualSwitch(dual), cluster, "dual_switch");
  RailOptimized::Config rail;
  rail.switch_model = model;
  expect_ways(RailOptimized(rail), cluster, "rail_optimized");
  Pod::Config pod;
  pod.switch_model = model;
  pod.nodes_per_pod = 3;
  pod.upper_switches = 2;
  pod.links = 8;
  expect_ways(Pod(pod), cluster, "pod");
  expect_ways(leaf_spine(3, 64), cluster, "leaf_spine");
  FatTree::Config tree;
  tree.switch_model = model;
  expect_ways(FatTree(tree), cluster, "fat_tree");
  Cluster two_ports = cluster;
  two_ports.node.nics.nic.num_ports = 2;
  expect_ways(two_planes(), two_ports, "multi_plane");
}

TEST(ScaleOutStorage, FaultsThatCutItOffAreBadInput) {
  Cluster cluster = cluster_with_storage(8, 3);
  cluster.storage->node.num_front_end_ports.value = 1;
  Faults faults;
  faults.links = {{"storage node 1", "leaf 1"}};
  BuiltCluster built = leaf_spine(4, 64).build(cluster);
  const std::vector<core::Problem> problems = apply_faults(built.fabric, faults);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].message, "storage node 1 is cut off");

  faults.links = {};
  faults.nics = {{.node = 0, .nic = 0}};
  built = leaf_spine(4, 64).build(cluster);
  EXPECT_TRUE(apply_faults(built.fabric, faults).empty()) << "its accelerator takes another NIC";
}

}  // namespace
}  // namespace railwright::topologies
