// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/fabric/fabric.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/core/units/literals.hpp"

namespace railwright::core {
namespace {

using literals::operator""_GBps;
using literals::operator""_us;

/// Two nodes of one accelerator and one NIC each, two leaves, two spines.
struct TwoTier {
  Fabric fabric;
  std::vector<VertexId> accelerators;
  std::vector<VertexId> nics;
  std::vector<VertexId> leaves;
  std::vector<VertexId> spines;

  TwoTier() {
    for (int i = 0; i < 2; ++i) {
      leaves.push_back(fabric.add_vertex({Role::kSwitch, -1, i, "leaf " + std::to_string(i)}));
    }
    for (int i = 0; i < 2; ++i) {
      spines.push_back(fabric.add_vertex({Role::kSwitch, -1, 2 + i, "spine " + std::to_string(i)}));
      for (const VertexId leaf : leaves) {
        fabric.add_link({leaf, spines.back(), Tier::kFabric, 50.0_GBps, 1.0_us});
      }
    }
    std::vector<Endpoint> endpoints;
    for (int n = 0; n < 2; ++n) {
      const std::string node = "node " + std::to_string(n);
      accelerators.push_back(
          fabric.add_vertex({Role::kAccelerator, n, 0, node + " accelerator 0"}));
      nics.push_back(fabric.add_vertex({Role::kNic, n, 0, node + " NIC 0"}));
      fabric.add_link({accelerators.back(), nics.back(), Tier::kPcie, 60.0_GBps, 0.0_us});
      fabric.add_link(
          {nics.back(), leaves[static_cast<std::size_t>(n)], Tier::kInjection, 40.0_GBps, 2.0_us});
      endpoints.push_back(
          {.accelerator = accelerators.back(), .node = n, .local_index = 0, .nic = 0});
    }
    fabric.set_endpoints(std::move(endpoints), 1);
  }
};

TEST(Fabric, FindsTheShortestRoute) {
  const TwoTier two;
  const std::vector<LinkId> route = two.fabric.accelerator_route(0, 1);
  ASSERT_EQ(route.size(), 6U);
  VertexId at = two.accelerators[0];
  for (const LinkId link : route) {
    EXPECT_EQ(two.fabric.links()[static_cast<std::size_t>(link)].from, at);
    at = two.fabric.links()[static_cast<std::size_t>(link)].to;
  }
  EXPECT_EQ(at, two.accelerators[1]);
  EXPECT_EQ(two.fabric.links()[static_cast<std::size_t>(route[2])].to, two.spines[0]);
  EXPECT_DOUBLE_EQ(two.fabric.latency(route).base(), 6e-6);
  EXPECT_TRUE(two.fabric.route(two.spines[0], two.spines[0]).empty());
}

TEST(Fabric, SpreadsOverEqualRoutes) {
  const TwoTier two;
  double over_spines = 0.0;
  const std::vector<LinkUse> uses = two.fabric.spread_route(two.nics[0], two.nics[1]);
  ASSERT_EQ(uses.size(), 6U);
  for (const LinkUse& use : uses) {
    const Tier tier = two.fabric.links()[static_cast<std::size_t>(use.link)].tier;
    EXPECT_DOUBLE_EQ(use.coefficient, tier == Tier::kFabric ? 0.5 : 1.0);
    if (tier == Tier::kFabric) over_spines += use.coefficient;
  }
  EXPECT_DOUBLE_EQ(over_spines, 2.0);
}

TEST(Fabric, AnswersByRoleAndTier) {
  const TwoTier two;
  EXPECT_EQ(two.fabric.num_nodes(), 2);
  EXPECT_EQ(two.fabric.nic_of(1), two.nics[1]);
  EXPECT_EQ(two.fabric.vertices_with(Role::kSwitch).size(), 4U);
  EXPECT_EQ(two.fabric.vertices_with(Role::kNic, 1), std::vector<VertexId>{two.nics[1]});
  EXPECT_EQ(two.fabric.narrowest(Tier::kInjection), 40.0_GBps);
  EXPECT_EQ(two.fabric.narrowest(Tier::kScaleUp), Bandwidth::infinity());
  EXPECT_EQ(two.fabric.bisection_bandwidth(), 40.0_GBps);
  EXPECT_EQ(to_string(Tier::kStorage), "storage");
}

TEST(Fabric, TheNarrowestFollowsWhatIsAddedAndWhatFails) {
  TwoTier two;
  EXPECT_EQ(two.fabric.narrowest(Tier::kInjection), 40.0_GBps);
  const LinkId thin =
      two.fabric.add_link({two.nics[0], two.spines[0], Tier::kInjection, 10.0_GBps, Duration{}});
  EXPECT_EQ(two.fabric.narrowest(Tier::kInjection), 10.0_GBps);
  two.fabric.fail_link(thin);
  EXPECT_EQ(two.fabric.narrowest(Tier::kInjection), 40.0_GBps);
}

TEST(Fabric, RoutesAsThePolicySays) {
  TwoTier two;
  std::vector<LinkUse> uses;
  two.fabric.append_route(0, 1, 0, uses);
  EXPECT_EQ(uses.size(), 6U);
  two.fabric.set_routing({.routing = Routing::kAdaptive});
  uses.clear();
  two.fabric.append_route(0, 1, 0, uses);
  EXPECT_EQ(uses.size(), 8U);
  EXPECT_DOUBLE_EQ(two.fabric.latency(uses).base(), 6e-6);
}

TEST(Fabric, RoutesAroundWhatHasFailed) {
  TwoTier two;
  two.fabric.fail_vertex(two.spines[0]);
  const std::vector<LinkId> around = two.fabric.accelerator_route(0, 1);
  EXPECT_EQ(two.fabric.links()[static_cast<std::size_t>(around[2])].to, two.spines[1]);
  two.fabric.fail_link(around[2]);
  EXPECT_TRUE(two.fabric.is_failed(Fabric::reverse(around[2])));
  EXPECT_THROW(static_cast<void>(two.fabric.accelerator_route(0, 1)), SimulationError);
  EXPECT_EQ(two.fabric.bisection_bandwidth(), 0.0_GBps);
  two.fabric.fail_vertex(two.nics[1]);
  ASSERT_EQ(two.fabric.cut_off_nodes().size(), 1U);
  EXPECT_EQ(two.fabric.cut_off_nodes()[0], 1);
  EXPECT_THROW(static_cast<void>(two.fabric.nic_of(1)), SimulationError);
}

TEST(Fabric, MakesANetworkOfItsLinks) {
  TwoTier two;
  const std::vector<LinkId> route = two.fabric.accelerator_route(0, 1);
  const Fabric moved = std::move(two.fabric);
  EXPECT_EQ(moved.accelerator_route(0, 1), route);
  const FlowNetwork network = moved.make_network();
  ASSERT_EQ(network.num_links(), moved.links().size());
  EXPECT_EQ(network.capacity(route[0]), 60e9);
  EXPECT_EQ(network.capacity(Fabric::reverse(route[1])), 40e9);
}

TEST(Fabric, NodesDoNotForwardForOthers) {
  // Rails that meet in no switch: node 1 could pass traffic on, but does not.
  Fabric fabric;
  const VertexId rail0 = fabric.add_vertex({Role::kSwitch, -1, 0, "rail 0"});
  const VertexId rail1 = fabric.add_vertex({Role::kSwitch, -1, 1, "rail 1"});
  std::vector<VertexId> nics;
  for (int n = 0; n < 3; ++n) {
    const VertexId pcie = fabric.add_vertex({Role::kPcieSwitch, n, 0, "PCIe switch"});
    for (int rail = 0; rail < 2; ++rail) {
      if ((n == 0 && rail == 1) || (n == 2 && rail == 0)) continue;
      nics.push_back(fabric.add_vertex(
          {Role::kNic, n, rail, "node " + std::to_string(n) + " NIC " + std::to_string(rail)}));
      fabric.add_link({pcie, nics.back(), Tier::kPcie, 60.0_GBps, 0.0_us});
      fabric.add_link(
          {nics.back(), rail == 0 ? rail0 : rail1, Tier::kInjection, 50.0_GBps, 0.0_us});
    }
  }
  EXPECT_EQ(fabric.route(nics[0], nics[1]).size(), 2U);
  EXPECT_EQ(fabric.route(nics[1], nics[2]).size(), 2U);  // over the PCIe switch of node 1
  try {
    static_cast<void>(fabric.route(nics[0], nics[3]));
    FAIL() << "found a way through node 1";
  } catch (const SimulationError& error) {
    EXPECT_STREQ(error.what(), "no route from node 0 NIC 0 to node 2 NIC 1");
  }
  EXPECT_THROW(static_cast<void>(fabric.spread_route(nics[0], nics[3])), SimulationError);
  EXPECT_THROW(static_cast<void>(fabric.route(0, 1000)), SimulationError);
  EXPECT_THROW(static_cast<void>(fabric.endpoint(0)), SimulationError);
}

}  // namespace
}  // namespace railwright::core
