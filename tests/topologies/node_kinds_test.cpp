// SPDX-License-Identifier: Apache-2.0
// Closed forms of every way to wire a node: what two accelerators have between them alone, and what
// all of a node can send at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "example_cluster.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/topologies/assembly/node_wiring.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {
namespace {

using core::Fabric;
using core::NicWiring;
using core::Role;
using core::ScaleUp;
using core::Tier;

constexpr double kGB = 1e9;

BuiltCluster nodes_on_one_switch(const core::ComputeNode& node, int num_nodes = 2) {
  Cluster cluster;
  cluster.num_nodes = num_nodes;
  cluster.node = node;
  return SingleSwitch({testing::example_switch(256)}).build(cluster);
}

/// Accelerators behind a PCIe switch of their own, or two to one as in the example.
core::ComputeNode node_of(int num_accelerators, ScaleUp scale_up) {
  core::ComputeNode node = testing::example_node(num_accelerators, NicWiring::kShared);
  node.num_accelerators.value = num_accelerators;
  node.scale_up = scale_up;
  return node;
}

std::vector<core::LinkUse> uses_of(const Fabric& fabric, int from, int to) {
  std::vector<core::LinkUse> uses;
  fabric.append_route(from, to, 0, uses);
  return uses;
}

/// What the narrowest link lets through, counting how often it is taken.
double alone(const Fabric& fabric, int from, int to) {
  core::FlowNetwork network = fabric.make_network();
  const core::FlowId flow = network.add({.route = uses_of(fabric, from, to)});
  network.solve();
  return network.rate(flow);
}

/// What each accelerator of node 0 gets when all send to those of node 1, and back where `duplex`.
std::vector<double> together(const Fabric& fabric, bool duplex) {
  const int count = fabric.accelerators_per_node();
  core::FlowNetwork network = fabric.make_network();
  std::vector<core::FlowId> flows;
  for (int a = 0; a < count; ++a) {
    flows.push_back(network.add({.route = uses_of(fabric, a, count + a)}));
    if (duplex) network.add({.route = uses_of(fabric, count + a, a)});
  }
  network.solve();
  std::vector<double> rates;
  for (const core::FlowId flow : flows) rates.push_back(network.rate(flow));
  return rates;
}

double injection(const Fabric& fabric) {
  double sum = 0.0;
  for (const double rate : together(fabric, false)) sum += rate;
  return sum;
}

int num_links(const Fabric& fabric, Tier tier) {
  return static_cast<int>(std::ranges::count(fabric.links(), tier, &core::Link::tier)) / 2;
}

TEST(NodeKinds, ASwitchGivesEveryPairTheWholeBandwidth) {
  const BuiltCluster built = nodes_on_one_switch(node_of(8, ScaleUp::kSwitch), 1);
  EXPECT_EQ(num_links(built.fabric, Tier::kScaleUp), 8);
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      if (a == b) continue;
      EXPECT_NEAR(alone(built.fabric, a, b), 360 * kGB, 1.0);
    }
  }
}

TEST(NodeKinds, AMeshDealsTheBandwidthOverItsPairs) {
  for (const int count : {2, 4, 8}) {
    SCOPED_TRACE(count);
    const BuiltCluster built = nodes_on_one_switch(node_of(count, ScaleUp::kMesh), 1);
    EXPECT_EQ(num_links(built.fabric, Tier::kScaleUp), count * (count - 1) / 2);
    EXPECT_TRUE(built.fabric.vertices_with(Role::kScaleUpSwitch).empty());
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b < count; ++b) {
        if (a == b) continue;
        EXPECT_EQ(uses_of(built.fabric, a, b).size(), 1U);
        EXPECT_NEAR(alone(built.fabric, a, b), 360 * kGB / (count - 1), 1.0);
      }
    }
  }
}

TEST(NodeKinds, BridgesJoinPairsAndTheRestMeetsOverPcie) {
  core::ComputeNode node = node_of(8, ScaleUp::kPairs);
  node.num_pcie_switches.value = 4;
  node.host_bandwidth.value = core::Bandwidth::from_base(22 * kGB);
  const BuiltCluster built = nodes_on_one_switch(node, 1);
  EXPECT_EQ(num_links(built.fabric, Tier::kScaleUp), 4);
  EXPECT_NEAR(alone(built.fabric, 4, 5), 360 * kGB, 1.0);
  EXPECT_NEAR(alone(built.fabric, 5, 4), 360 * kGB, 1.0);
  // 1 and 2: other PCIe switch, same socket; 1 and 6: other socket.
  EXPECT_NEAR(alone(built.fabric, 1, 2), 22 * kGB, 1.0);
  EXPECT_NEAR(alone(built.fabric, 1, 6), 22 * kGB, 1.0);
}

TEST(NodeKinds, WithoutScaleUpAllMeetsOverPcie) {
  const BuiltCluster built = nodes_on_one_switch(node_of(8, ScaleUp::kNone), 1);
  EXPECT_EQ(num_links(built.fabric, Tier::kScaleUp), 0);
  EXPECT_NEAR(alone(built.fabric, 0, 1), 55 * kGB, 1.0);  // one PCIe switch
  EXPECT_NEAR(alone(built.fabric, 0, 2), 22 * kGB, 1.0);  // across the socket
  EXPECT_NEAR(alone(built.fabric, 0, 7), 22 * kGB, 1.0);  // to the other
}

TEST(NodeKinds, EveryNumberOfNicsReachesOutAndMoreNeverReachLess) {
  for (const NicWiring wiring : {NicWiring::kShared, NicWiring::kAlternate}) {
    for (const bool gpudirect : {true, false}) {
      double before = 0.0;
      for (int count = 1; count <= 16; ++count) {
        SCOPED_TRACE(count);
        core::ComputeNode node = testing::example_node(count, wiring);
        node.nics.gpudirect = gpudirect;
        const BuiltCluster built = nodes_on_one_switch(node);
        EXPECT_EQ(built.parts.ports_used, 2 * count);
        const double now = injection(built.fabric);
        EXPECT_GE(now, before - 1.0);
        before = now;
        for (const core::VertexId nic : built.fabric.vertices_with(Role::kNic, 0)) {
          bool is_used = false;
          for (int a = 0; a < 8; ++a) is_used |= built.fabric.nic_of(a) == nic;
          EXPECT_TRUE(is_used);
        }
      }
    }
  }
}

TEST(NodeKinds, NicsThatAreLocalGiveTheirWholeRate) {
  // Up to four shared NICs of 40 GB/s are the limit where nothing crosses the host: 4 and above.
  for (int count = 4; count <= 8; ++count) {
    EXPECT_NEAR(
        injection(nodes_on_one_switch(testing::example_node(count, NicWiring::kShared)).fabric),
        count * 40 * kGB, 1.0);
  }
  // Beyond eight an accelerator with two is limited by its own PCIe link of 55 GB/s.
  for (int count = 9; count <= 16; ++count) {
    const std::vector<double> rates = together(
        nodes_on_one_switch(testing::example_node(count, NicWiring::kShared)).fabric, false);
    EXPECT_EQ(std::ranges::count_if(rates, [](double r) { return r > 54.9 * kGB; }), count - 8);
    EXPECT_NEAR(*std::ranges::min_element(rates), (count < 16 ? 40 : 55) * kGB, 1.0);
  }
}

TEST(NodeKinds, WithoutGpuDirectAnUplinkCarriesWhatIsSentAndWhatIsReceived) {
  core::ComputeNode node = testing::example_node(8, NicWiring::kShared);
  const auto sent = [&](bool duplex) {
    return together(nodes_on_one_switch(node).fabric, duplex)[0];
  };
  EXPECT_NEAR(sent(true), 40 * kGB, 1.0);
  node.nics.gpudirect = false;
  // Two accelerators share an uplink of 54 GB/s; both directions of it carry each byte.
  EXPECT_NEAR(sent(false), 27 * kGB, 1.0);
  EXPECT_NEAR(sent(true), 13.5 * kGB, 1.0);
  node.nics.gpudirect = true;
  node.nics.transport.rdma = false;
  EXPECT_NEAR(sent(true), 13.5 * kGB, 1.0);
}

TEST(NodeKinds, WithoutGpuDirectTheWayLeadsThroughTheHost) {
  core::ComputeNode node = testing::example_node(1, NicWiring::kShared);
  node.nics.gpudirect = false;
  const BuiltCluster built = nodes_on_one_switch(node);
  const Fabric& fabric = built.fabric;
  for (int a = 0; a < 8; ++a) {
    SCOPED_TRACE(a);
    const core::Endpoint& endpoint = fabric.endpoint(a);
    EXPECT_TRUE(endpoint.through_host);
    core::VertexId at = endpoint.accelerator;
    int hosts = 0;
    for (const core::LinkId id : endpoint.to_nic) {
      const core::Link& link = fabric.links()[static_cast<std::size_t>(id)];
      EXPECT_EQ(link.from, at);
      at = link.to;
      hosts += fabric.vertices()[static_cast<std::size_t>(at)].role == Role::kHost ? 1 : 0;
    }
    EXPECT_EQ(at, fabric.nic_of(a));
    EXPECT_EQ(hosts, a < 4 ? 1 : 2);  // the NIC is on the first socket
  }
  EXPECT_TRUE(fabric.vertices_with(Role::kHostBridge).empty());
}

TEST(NodeKinds, ANicThatTakesOverIsReachedThroughTheHostToo) {
  core::ComputeNode node = testing::example_node(8, NicWiring::kShared);
  node.nics.gpudirect = false;
  BuiltCluster built = nodes_on_one_switch(node);
  built.fabric.fail_vertex(built.fabric.nic_of(0));
  const core::Endpoint& moved = built.fabric.endpoint(0);
  EXPECT_EQ(moved.nic, 1);
  EXPECT_EQ(moved.to_nic.size(), 4U);  // switch, host, switch, NIC
}

TEST(NodeKinds, TraysShareTheScaleUpDomainOnly) {
  core::ComputeNode node = testing::example_node(8, NicWiring::kShared);
  node.num_pcie_switches.value = 4;
  node.num_hosts.value = 4;
  node.num_trays = 2;
  const BuiltCluster built = nodes_on_one_switch(node, 1);
  // One link between the sockets of a tray, none between trays; an uplink each.
  EXPECT_EQ(num_links(built.fabric, Tier::kHost), 2 + 4);
  EXPECT_NEAR(alone(built.fabric, 0, 7), 360 * kGB, 1.0);
}

TEST(NodeKinds, TheTransportAddsItsShareAndItsLatency) {
  core::ComputeNode node = testing::example_node(8, NicWiring::kShared);
  node.nics.transport.efficiency.value = 0.5;
  node.nics.transport.latency.value = core::Duration::from_base(8e-6);
  const BuiltCluster built = nodes_on_one_switch(node);
  EXPECT_NEAR(alone(built.fabric, 0, 8), 25 * kGB, 1.0);
  // Two adapters of 1 us, a switch of 0.5 us, and the transport once.
  EXPECT_NEAR(built.fabric.latency(uses_of(built.fabric, 0, 8)).base(), 10.5e-6, 1e-12);
}

}  // namespace
}  // namespace railwright::topologies
