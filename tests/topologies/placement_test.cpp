// SPDX-License-Identifier: Apache-2.0
// Where a job's nodes stand in a fabric, and how the fabric routes as its devices come.
#include "railwright/topologies/cluster/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "example_cluster.hpp"
#include "fabric_counts.hpp"
#include "railwright/topologies/wirings/leaf_spine.hpp"

namespace railwright::topologies {
namespace {

TEST(Placement, PackedIsTheOrderOfRanks) {
  EXPECT_EQ(nodes_by_place({}, 3), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(nodes_by_place({.of_nodes = 5}, 3), (std::vector<int>{0, 1, 2, -1, -1}));
}

TEST(Placement, ScatteredHoldsEachNodeOnceAndFollowsItsSeed) {
  const Placement placement{.order = PlacementOrder::kScattered, .of_nodes = 96, .seed = 3};
  std::vector<int> nodes = nodes_by_place(placement, 64);
  EXPECT_EQ(nodes, nodes_by_place(placement, 64));
  EXPECT_NE(nodes, nodes_by_place({.order = PlacementOrder::kScattered, .of_nodes = 96}, 64));
  EXPECT_EQ(std::ranges::count(nodes, -1), 32);
  std::ranges::sort(nodes);
  for (int node = 0; node < 64; ++node) EXPECT_EQ(nodes[static_cast<std::size_t>(node + 32)], node);
}

TEST(Placement, PartsOfAClusterTogetherHaveThePlacesOfTheWhole) {
  for (const auto order : {PlacementOrder::kPacked, PlacementOrder::kScattered}) {
    const Placement whole{.order = order, .of_nodes = 40, .seed = 7};
    Placement first = whole;
    first.part_of_nodes = 30;
    Placement second = first;
    second.first_node = 12;
    const std::vector<int> all = nodes_by_place(whole, 30);
    const std::vector<int> of_first = nodes_by_place(first, 12);
    const std::vector<int> of_second = nodes_by_place(second, 18);
    for (std::size_t place = 0; place < all.size(); ++place) {
      const int node = all[place];
      EXPECT_EQ(of_first[place], node < 12 ? node : -1) << place;
      EXPECT_EQ(of_second[place], node < 12 ? -1 : node - 12) << place;
    }
  }
}

BuiltCluster build(const Cluster& cluster, const core::Switch& leaf = testing::example_switch(64)) {
  LeafSpine::Config config;
  config.switch_model = leaf;
  return LeafSpine(config).build(cluster);
}

/// Labels of the leaves on which nodes of the job stand.
std::set<std::string> leaves_of(const BuiltCluster& built) {
  std::set<std::string> leaves;
  const auto& vertices = built.fabric.vertices();
  for (const core::Link& link : built.fabric.links()) {
    const core::Vertex& from = vertices[static_cast<std::size_t>(link.from)];
    if (from.role != core::Role::kNic || link.tier != core::Tier::kInjection) continue;
    leaves.insert(vertices[static_cast<std::size_t>(link.to)].label);
  }
  return leaves;
}

TEST(Placement, OthersTakePortsAndLeavesAndHaveNoNodes) {
  Cluster cluster = testing::example_cluster(16, 8);
  const BuiltCluster alone = build(cluster);
  EXPECT_EQ(leaves_of(alone).size(), 4U);
  cluster.placement = {.of_nodes = 64};
  const BuiltCluster packed = build(cluster);
  EXPECT_EQ(leaves_of(packed).size(), 4U);
  EXPECT_EQ(testing::count_fabric(packed.fabric).leaves, 16);
  EXPECT_EQ(packed.fabric.num_accelerators(), alone.fabric.num_accelerators());
  EXPECT_EQ(packed.parts.ports_used, build(testing::example_cluster(64, 8)).parts.ports_used);
  cluster.placement.order = PlacementOrder::kScattered;
  EXPECT_GT(leaves_of(build(cluster)).size(), 8U);
}

/// The labels of the switches between two nodes' NICs.
std::vector<std::string> switches_between(const core::Fabric& fabric, int from, int to) {
  std::vector<std::string> labels;
  const int per_node = fabric.accelerators_per_node();
  for (const core::LinkId link : fabric.accelerator_route(from * per_node, to * per_node)) {
    const core::Vertex& end = fabric.vertices()[static_cast<std::size_t>(
        fabric.links()[static_cast<std::size_t>(link)].to)];
    if (end.role == core::Role::kSwitch) labels.push_back(end.label);
  }
  return labels;
}

/// Switches route by addresses, and the nodes of others have addresses too.
TEST(Placement, RoutesAreThoseOfTheWholeFabric) {
  const BuiltCluster whole = build(testing::example_cluster(64, 8));
  Cluster cluster = testing::example_cluster(16, 8);
  cluster.placement = {.order = PlacementOrder::kScattered, .of_nodes = 64};
  const BuiltCluster part = build(cluster);
  const std::vector<int> nodes = nodes_by_place(cluster.placement, 16);
  const auto place_of = [&](int node) {
    return static_cast<int>(std::ranges::find(nodes, node) - nodes.begin());
  };
  for (int from = 0; from < 16; ++from) {
    for (int to = 0; to < 16; ++to) {
      if (from == to) continue;
      EXPECT_EQ(switches_between(part.fabric, from, to),
                switches_between(whole.fabric, place_of(from), place_of(to)))
          << from << " to " << to;
    }
  }
}

TEST(Placement, EachDrawOfASeedHasItsOwnPlaces) {
  const Placement first{.order = PlacementOrder::kScattered, .of_nodes = 96, .seed = 3};
  Placement second = first;
  second.draw = 1;
  EXPECT_NE(nodes_by_place(first, 64), nodes_by_place(second, 64));
  EXPECT_EQ(nodes_by_place(second, 64), nodes_by_place(second, 64));
  const Placement packed{.of_nodes = 96, .draw = 1};
  EXPECT_EQ(nodes_by_place(packed, 64), nodes_by_place({.of_nodes = 96}, 64));
}

TEST(UsualRouting, FollowsAdaptersAndSwitches) {
  using core::PacketSpraying;
  using core::Routing;
  const auto routing_of = [](core::LinkProtocol protocol, PacketSpraying adapter, bool sprays) {
    Cluster cluster = testing::example_cluster(16, 8);
    cluster.node.nics.nic.packet_spraying.value = adapter;
    core::Switch leaf = testing::example_switch(64);
    leaf.link_protocol = core::Sourced<core::LinkProtocol>{protocol, "test", false};
    leaf.packet_spraying.value = sprays;
    return build(cluster, leaf).fabric.routing().routing;
  };
  using core::LinkProtocol;
  EXPECT_EQ(routing_of(LinkProtocol::kInfiniband, PacketSpraying::kReceives, true),
            Routing::kStatic);
  EXPECT_EQ(routing_of(LinkProtocol::kEthernet, PacketSpraying::kNone, true), Routing::kEcmp);
  EXPECT_EQ(routing_of(LinkProtocol::kEthernet, PacketSpraying::kReceives, false), Routing::kEcmp);
  EXPECT_EQ(routing_of(LinkProtocol::kEthernet, PacketSpraying::kReceives, true),
            Routing::kAdaptive);
  EXPECT_EQ(routing_of(LinkProtocol::kEthernet, PacketSpraying::kSends, false), Routing::kAdaptive);
  Cluster asked = testing::example_cluster(16, 8);
  asked.routing = {.routing = Routing::kAdaptive, .seed = 5};
  EXPECT_EQ(build(asked).fabric.routing().routing, Routing::kAdaptive);
  EXPECT_EQ(build(asked).fabric.routing().seed, 5U);
}

}  // namespace
}  // namespace railwright::topologies
