// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/assembly/node_wiring.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

#include "example_cluster.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {
namespace {

using core::Bandwidth;
using core::Fabric;
using core::Link;
using core::LinkId;
using core::NicWiring;
using core::Role;
using core::Tier;
using testing::example_cluster;
using testing::operator""_GBps;

BuiltCluster wired_nodes(int num_nodes, int num_nics, NicWiring wiring = NicWiring::kShared) {
  return SingleSwitch({testing::example_switch(256)})
      .build(example_cluster(num_nodes, num_nics, wiring));
}

const Link& link(const Fabric& fabric, LinkId id) {
  return fabric.links()[static_cast<std::size_t>(id)];
}

/// Whether the links lead from one accelerator to the other without a gap, each taken once.
void expect_walk(const Fabric& fabric, int from, int to) {
  core::VertexId at = fabric.endpoint(from).accelerator;
  std::set<LinkId> seen;
  for (const LinkId id : fabric.accelerator_route(from, to)) {
    EXPECT_EQ(link(fabric, id).from, at);
    at = link(fabric, id).to;
    EXPECT_TRUE(seen.insert(id).second);
  }
  EXPECT_EQ(at, fabric.endpoint(to).accelerator);
}

TEST(NodeWiring, AcceleratorsOfANodeMeetInTheScaleUpSwitch) {
  const BuiltCluster built = wired_nodes(2, 8);
  const auto& route = built.fabric.accelerator_route(0, 1);
  ASSERT_EQ(route.size(), 2U);
  EXPECT_EQ(link(built.fabric, route[0]).tier, Tier::kScaleUp);
  EXPECT_EQ(link(built.fabric, route[0]).bandwidth, 360.0_GBps);
  EXPECT_TRUE(built.fabric.accelerator_route(3, 3).empty());
}

TEST(NodeWiring, TheWayToAnotherNodeLeadsOverTheNics) {
  const BuiltCluster built = wired_nodes(2, 8);
  const auto& route = built.fabric.accelerator_route(1, 8 + 6);
  ASSERT_EQ(route.size(), 6U);
  const std::vector<Tier> tiers{Tier::kPcie,      Tier::kPcie, Tier::kInjection,
                                Tier::kInjection, Tier::kPcie, Tier::kPcie};
  for (std::size_t i = 0; i < route.size(); ++i) {
    EXPECT_EQ(link(built.fabric, route[i]).tier, tiers[i]);
  }
  EXPECT_EQ(built.fabric.narrowest(Tier::kInjection), 40.0_GBps);
  EXPECT_DOUBLE_EQ(built.fabric.latency(route).base(), 2.5e-6);
}

TEST(NodeWiring, EveryPairHasAWalkForEveryNumberOfNics) {
  for (const NicWiring wiring : {NicWiring::kShared, NicWiring::kAlternate}) {
    for (int num_nics = 1; num_nics <= 16; ++num_nics) {
      SCOPED_TRACE(num_nics);
      const BuiltCluster built = wired_nodes(2, num_nics, wiring);
      for (int a = 0; a < 16; ++a) {
        EXPECT_EQ(built.fabric.vertices()[static_cast<std::size_t>(built.fabric.nic_of(a))].node,
                  a / 8);
        for (int b = 0; b < 16; ++b) expect_walk(built.fabric, a, b);
      }
    }
  }
}

TEST(NodeWiring, CrossingsShareTheHostOfTheirSocket) {
  // Accelerators 1 and 3 cross socket 0, 5 and 7 socket 1; each pair shares 22 GB/s.
  const BuiltCluster built = wired_nodes(2, 4, NicWiring::kAlternate);
  const Fabric& fabric = built.fabric;
  core::FlowNetwork network = fabric.make_network();
  std::vector<core::FlowId> flows;
  for (int a = 0; a < 8; ++a) {
    std::vector<core::LinkUse> route;
    for (const LinkId id : fabric.accelerator_route(a, 8 + a)) route.push_back({id, 1.0});
    flows.push_back(network.add({.route = route}));
  }
  network.solve();
  for (int a = 0; a < 8; ++a) {
    EXPECT_EQ(fabric.endpoint(a).crosses_host, a % 2 == 1);
    // NIC of 40: 11 from the crossing one, the rest from the other.
    EXPECT_NEAR(network.rate(flows[static_cast<std::size_t>(a)]), a % 2 == 1 ? 11e9 : 29e9, 1.0);
  }
  EXPECT_EQ(fabric.vertices_with(Role::kHostBridge, 0).size(), 2U);
  EXPECT_EQ(fabric.vertices_with(Role::kHost, 0).size(), 2U);
}

TEST(NodeWiring, ANicThatTakesOverIsReachedAtTheRateOfPeers) {
  // NIC 0 of four fails: both accelerators of its PCIe switch send through that of the next one.
  BuiltCluster built = wired_nodes(2, 4);
  for (const bool other_socket : {false, true}) {
    SCOPED_TRACE(other_socket);
    built.fabric.fail_vertex(built.fabric.nic_of(other_socket ? 2 : 0));
    core::FlowNetwork network = built.fabric.make_network();
    double sum = 0.0;
    std::vector<core::FlowId> flows;
    for (const int a : {0, 1}) {
      std::vector<core::LinkUse> route;
      for (const LinkId id : built.fabric.accelerator_route(a, 8 + 6)) route.push_back({id, 1.0});
      flows.push_back(network.add({.route = route}));
      EXPECT_TRUE(built.fabric.endpoint(a).crosses_host);
      EXPECT_EQ(built.fabric.endpoint(a).nic, other_socket ? 2 + a : 1);
    }
    network.solve();
    for (const core::FlowId flow : flows) sum += network.rate(flow);
    EXPECT_NEAR(sum, 22e9, 1.0);
  }
}

TEST(NodeWiring, OneNicIsReachedAcrossTheSockets) {
  const BuiltCluster built = wired_nodes(2, 1);
  const Fabric& fabric = built.fabric;
  EXPECT_FALSE(fabric.endpoint(1).crosses_host);
  EXPECT_TRUE(fabric.endpoint(2).crosses_host);
  EXPECT_EQ(fabric.endpoint(2).to_nic.size(), 5U);  // over the bridge of socket 0
  EXPECT_EQ(fabric.endpoint(7).to_nic.size(), 5U);  // over the link between the sockets
  EXPECT_EQ(fabric.accelerator_route(7, 15).size(), 12U);
}

TEST(NodeWiring, BundlesNicsBeyondTheAccelerators) {
  const BuiltCluster built = wired_nodes(2, 16);
  EXPECT_EQ(built.fabric.vertices_with(Role::kNic, 0).size(), 8U);
  EXPECT_EQ(built.fabric.narrowest(Tier::kInjection), 80.0_GBps);
  EXPECT_EQ(built.parts.ports_used, 32);
}

TEST(NodeWiring, ASlowerSwitchPortLimitsTheNic) {
  core::Switch slow = testing::example_switch(64);
  slow.port_rate.value = Bandwidth::from_base(25e9);
  const BuiltCluster built = SingleSwitch({slow}).build(example_cluster(2, 8));
  EXPECT_EQ(built.fabric.narrowest(Tier::kInjection), 20.0_GBps);
}

/// Whether two fabrics have the same devices, links and endpoints, under the same ids.
void expect_same(const Fabric& one, const Fabric& other) {
  ASSERT_EQ(one.vertices().size(), other.vertices().size());
  for (std::size_t v = 0; v < one.vertices().size(); ++v) {
    const core::Vertex& a = one.vertices()[v];
    const core::Vertex& b = other.vertices()[v];
    EXPECT_EQ(std::tie(a.role, a.node, a.local_index, a.label, a.level, a.reduces),
              std::tie(b.role, b.node, b.local_index, b.label, b.level, b.reduces));
  }
  ASSERT_EQ(one.links().size(), other.links().size());
  for (std::size_t l = 0; l < one.links().size(); ++l) {
    const Link& a = one.links()[l];
    const Link& b = other.links()[l];
    EXPECT_EQ(std::tie(a.from, a.to, a.tier, a.bandwidth, a.latency, a.num_parallel),
              std::tie(b.from, b.to, b.tier, b.bandwidth, b.latency, b.num_parallel));
  }
}

TEST(NodeWiring, ACopyOfTheFirstNodeIsWhatIsWiredAnew) {
  for (const NicWiring wiring : {NicWiring::kShared, NicWiring::kAlternate}) {
    for (const bool gpudirect : {false, true}) {
      Cluster cluster = example_cluster(3, 4, wiring);
      cluster.node.nics.gpudirect = gpudirect;
      cluster.node.front_end.count = 2;
      const NicPlan plan = plan_nics(cluster.node);
      Fabric anew;
      Fabric copied;
      const WiredNode first = add_node(copied, cluster.node, plan, 0);
      for (int node = 0; node < 3; ++node) {
        const WiredNode wired = add_node(anew, cluster.node, plan, node);
        if (node == 0) continue;
        const WiredNode copy = add_copy_of_first(copied, first, node);
        EXPECT_EQ(copy.nics, wired.nics);
        EXPECT_EQ(copy.front_end_nics, wired.front_end_nics);
        ASSERT_EQ(copy.endpoints.size(), wired.endpoints.size());
        for (std::size_t a = 0; a < copy.endpoints.size(); ++a) {
          const core::Endpoint& own = copy.endpoints[a];
          const core::Endpoint& other = wired.endpoints[a];
          EXPECT_EQ(
              std::tie(own.accelerator, own.node, own.local_index, own.nic, own.to_nic),
              std::tie(other.accelerator, other.node, other.local_index, other.nic, other.to_nic));
          EXPECT_EQ(own.crosses_host, other.crosses_host);
          EXPECT_EQ(own.through_host, other.through_host);
        }
      }
      expect_same(copied, anew);
    }
  }
}

}  // namespace
}  // namespace railwright::topologies
