// SPDX-License-Identifier: Apache-2.0
// Every device of the catalogue can be read and says where its values come from; every node of it
// can be wired.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "catalogue_entry.hpp"
#include "example_cluster.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/hardware/cable.hpp"
#include "railwright/core/hardware/cable_fields.hpp"
#include "railwright/core/hardware/cpu_node.hpp"
#include "railwright/core/hardware/cpu_node_fields.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/core/hardware/storage_node_fields.hpp"
#include "railwright/core/hardware/transport_fields.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/topologies/assembly/nic_plan.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {
namespace {

using testing::catalogue;
using testing::load;

/// Counts sourced values and expects a source of each, in the entry and in all it consists of.
template <core::HasFields T>
int count_sources(const T& entry) {
  int count = 0;
  core::for_each_field<T>([&]<class F>(const F& f) {
    const auto& member = entry.*(f.member);
    using Member = typename F::value_type;
    if constexpr (core::IsSourced<Member>::value) {
      EXPECT_FALSE(member.source.empty()) << f.name;
      ++count;
    } else if constexpr (core::HasFields<Member>) {
      count += count_sources(member);
    }
  });
  return count;
}

template <class T>
int count_sources_of_kind() {
  int count = 0;
  for (const std::string& name : catalogue().names(T::kKind)) {
    SCOPED_TRACE(name);
    const T entry = load<T>(name);
    EXPECT_EQ(entry.name, name);
    EXPECT_FALSE(entry.description.empty());
    count += count_sources(entry);
  }
  return count;
}

TEST(CatalogueNodes, EveryValueOfEveryDeviceHasASource) {
  EXPECT_GT(count_sources_of_kind<core::Accelerator>(), 100);
  EXPECT_GT(count_sources_of_kind<core::Cable>(), 40);
  EXPECT_GT(count_sources_of_kind<core::CpuNode>(), 5);
  EXPECT_GT(count_sources_of_kind<core::Nic>(), 24);
  EXPECT_GT(count_sources_of_kind<core::ComputeNode>(), 200);
  EXPECT_GT(count_sources_of_kind<core::StorageNode>(), 20);
  EXPECT_GT(count_sources_of_kind<core::Switch>(), 30);
  EXPECT_GT(count_sources_of_kind<core::Transport>(), 12);
}

TEST(CatalogueNodes, EveryNodeCanBeWired) {
  for (const std::string& name : catalogue().names(core::ComputeNode::kKind)) {
    SCOPED_TRACE(name);
    Cluster cluster;
    cluster.num_nodes = 2;
    cluster.node = load<core::ComputeNode>(name);
    EXPECT_TRUE(find_problems(cluster.node).empty());
    const BuiltCluster built = SingleSwitch({testing::example_switch(512)}).build(cluster);
    EXPECT_TRUE(built.parts.shortfalls.empty());
    EXPECT_EQ(built.parts.ports_used,
              2 * cluster.node.nics.count * cluster.node.nics.nic.num_ports);
    const int per_node = cluster.node.num_accelerators.value;
    for (int a = 0; a < per_node; ++a) {
      std::vector<core::LinkUse> uses;
      built.fabric.append_route(a, per_node + a, 0, uses);
      EXPECT_GE(uses.size(), 6U);
    }
  }
}

/// What one flow between two accelerators of a node gets.
double between(const std::string& node, int from, int to) {
  Cluster cluster;
  cluster.num_nodes = 1;
  cluster.node = load<core::ComputeNode>(node);
  const BuiltCluster built = SingleSwitch({testing::example_switch(256)}).build(cluster);
  core::FlowNetwork network = built.fabric.make_network();
  std::vector<core::LinkUse> uses;
  built.fabric.append_route(from, to, 0, uses);
  const core::FlowId flow = network.add({.route = uses});
  network.solve();
  return network.rate(flow) / 1e9;
}

TEST(CatalogueNodes, TwoAcceleratorsHaveWhatTheDocumentsSay) {
  EXPECT_NEAR(between("xe9680-h100", 0, 7), 0.822 * 450, 1e-6);
  EXPECT_NEAR(between("xe9680-mi300x", 0, 7), 0.745 * 64, 1e-6);
  EXPECT_NEAR(between("xe8640", 0, 3), 0.822 * 150, 1e-6);  // 6 of 18 links
  EXPECT_NEAR(between("r760xa-h100", 0, 1), 0.82 * 300, 1e-6);
  EXPECT_NEAR(between("r760xa-h100", 1, 2), 22, 1e-6);
  EXPECT_NEAR(between("r760xa-l40s", 0, 1), 22, 1e-6);
  EXPECT_NEAR(between("gb200-nvl72", 0, 71), 0.756 * 900, 1e-6);
  EXPECT_NEAR(between("xe7740-h200-nvl", 0, 1), 0.82 * 450, 1e-6);
  EXPECT_NEAR(between("xe9785-mi350x", 0, 7), 0.745 * 537 / 7, 1e-6);
  EXPECT_NEAR(between("xe9680-gaudi-3", 0, 7), 0.82 * 75, 1e-6);  // three ports of 200 Gb/s
}

TEST(CatalogueNodes, TheFrontEndOfTheDocumentsFits) {
  // Six XE9680 with four ports, three storage nodes and three R660 with two each, on two switches.
  Cluster cluster;
  cluster.num_nodes = 6;
  cluster.node = load<core::ComputeNode>("xe9680-h100");
  cluster.storage = testing::example_storage(3);
  cluster.storage->front_end_switch = load<core::Switch>("s5232f-on");
  cluster.control_plane = CpuNodeGroup{.node = load<core::CpuNode>("r660"), .count = 3};
  const SingleSwitch topology({testing::example_switch(256)});
  EXPECT_TRUE(topology.build(cluster).parts.shortfalls.empty());
  // (6 x 4 + 3 x 2 + 3 x 2) / 2 + 2 = 20 of 32 ports each: six more nodes fit, seven do not.
  cluster.num_nodes = 12;
  EXPECT_TRUE(topology.build(cluster).parts.shortfalls.empty());
  cluster.num_nodes = 13;
  ASSERT_EQ(topology.build(cluster).parts.shortfalls.size(), 1U);
  EXPECT_EQ(topology.build(cluster).parts.shortfalls[0].needed, 34.0);
}

}  // namespace
}  // namespace railwright::topologies
