// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fat_tree.hpp"
#include "railwright/core/error.hpp"

namespace railwright::core {
namespace {

using testing::FatTree;
using testing::three_tiers;
using testing::two_tiers;

/// Whether routes between all pairs avoid what has failed, and are as long as they can be.
void expect_all_routes_alive(const FatTree& tree, std::size_t max_links) {
  std::vector<LinkUse> uses;
  const int n = tree.fabric.num_accelerators();
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      EXPECT_LE(tree.fabric.accelerator_route(a, b).size(), max_links);
      uses.clear();
      tree.fabric.append_route(a, b, 0, uses);
      for (const LinkUse& use : uses) EXPECT_FALSE(tree.fabric.is_failed(use.link));
    }
  }
}

TEST(Faults, ASpineIsRoutedAround) {
  for (const Routing routing : {Routing::kStatic, Routing::kEcmp, Routing::kAdaptive}) {
    FatTree tree(three_tiers());
    tree.fabric.set_routing({.routing = routing});
    expect_all_routes_alive(tree, 10);
    tree.fabric.fail_vertex(tree.spines[1]);
    expect_all_routes_alive(tree, 10);
  }
}

TEST(Faults, AdaptiveRoutingSharesWhatIsLeft) {
  FatTree tree(two_tiers());
  const Bandwidth whole = tree.fabric.bisection_bandwidth();
  tree.fabric.fail_link(tree.between(tree.leaves[0], tree.spines[3]));
  for (const LinkUse& use : tree.fabric.spread_route(tree.nics[0], tree.nics[63])) {
    const Link& link = tree.link(use.link);
    EXPECT_NE(link.from, tree.spines[3]);
    EXPECT_DOUBLE_EQ(use.coefficient, link.tier == Tier::kFabric ? 1.0 / 7 : 1.0);
  }
  // Eight spines still serve leaves that kept theirs.
  EXPECT_EQ(tree.fabric.spread_route(tree.nics[8], tree.nics[63]).size(), 2U + 2 * 8U);
  EXPECT_DOUBLE_EQ(tree.fabric.bisection_bandwidth() / whole, 31.0 / 32);
}

TEST(Faults, ACableOfABundleTakesItsShareAlong) {
  FatTree tree({.num_nodes = 16,
                .hosts_per_leaf = 8,
                .leaves_per_pod = 2,
                .spines_per_pod = 2,
                .cables = 4});
  const LinkId bundle = tree.between(tree.leaves[0], tree.spines[0]);
  tree.fabric.fail_cables(bundle, 1);
  EXPECT_FALSE(tree.fabric.is_failed(bundle));
  EXPECT_EQ(tree.link(bundle).num_parallel, 3);
  EXPECT_DOUBLE_EQ(tree.link(Fabric::reverse(bundle)).bandwidth.base(), 150e9);
  EXPECT_DOUBLE_EQ(tree.fabric.bisection_bandwidth().base(), 350e9);
  double over_first = 0.0;
  for (const LinkUse& use : tree.fabric.spread_route(tree.nics[0], tree.nics[8])) {
    if (use.link == bundle) over_first = use.coefficient;
  }
  EXPECT_DOUBLE_EQ(over_first, 3.0 / 7);
  // Seven cables for eight destinations: one carries two.
  int num_over_first = 0;
  for (std::size_t to = 8; to < 16; ++to) {
    const std::vector<LinkId> route = tree.fabric.route(tree.nics[0], tree.nics[to]);
    num_over_first += std::ranges::find(route, bundle) != route.end() ? 1 : 0;
  }
  EXPECT_EQ(num_over_first, 4);
  tree.fabric.fail_cables(bundle, 3);
  EXPECT_TRUE(tree.fabric.is_failed(bundle));
}

/// A node of four accelerators: two PCIe switches on each of two sockets, a NIC and an accelerator
/// on each switch. All NICs of index i on leaf i, no spines unless told.
struct TwoSockets {
  Fabric fabric;
  std::vector<VertexId> leaves;
  std::vector<VertexId> nics;
  std::vector<VertexId> pcie_switches;

  explicit TwoSockets(int num_nodes, int nics_per_switch = 1) {
    const Bandwidth rate = Bandwidth::from_base(50e9);
    for (int i = 0; i < 4 * nics_per_switch; ++i) {
      leaves.push_back(fabric.add_vertex({Role::kSwitch, -1, i, "leaf " + std::to_string(i)}));
    }
    const VertexId spine = fabric.add_vertex({Role::kSwitch, -1, 4, "spine 0", 1});
    for (const VertexId leaf : leaves) fabric.add_link({leaf, spine, Tier::kFabric, rate, {}});
    std::vector<Endpoint> endpoints;
    for (int n = 0; n < num_nodes; ++n) {
      std::vector<VertexId> hosts;
      for (int h = 0; h < 2; ++h) hosts.push_back(fabric.add_vertex({Role::kHost, n, h, "host"}));
      fabric.add_link({hosts[0], hosts[1], Tier::kHost, rate, {}});
      std::vector<VertexId> bridges;
      for (int h = 0; h < 2; ++h) {
        bridges.push_back(fabric.add_vertex({Role::kHostBridge, n, h, "host bridge"}));
        fabric.add_link(
            {hosts[static_cast<std::size_t>(h)], bridges.back(), Tier::kHost, rate, {}});
      }
      for (int i = 0; i < 4; ++i) {
        const auto socket = static_cast<std::size_t>(i) / 2;
        const VertexId pcie = fabric.add_vertex({Role::kPcieSwitch, n, i, "PCIe switch"});
        pcie_switches.push_back(pcie);
        fabric.add_link({pcie, hosts[socket], Tier::kHost, rate, {}});
        fabric.add_link({bridges[socket], pcie, Tier::kHost, rate, {}});
        const VertexId accelerator = fabric.add_vertex({Role::kAccelerator, n, i, "accelerator"});
        fabric.add_link({accelerator, pcie, Tier::kPcie, rate, {}});
        for (int k = 0; k < nics_per_switch; ++k) {
          const int index = i * nics_per_switch + k;
          nics.push_back(fabric.add_vertex({Role::kNic, n, index, "NIC"}));
          fabric.add_link({pcie, nics.back(), Tier::kPcie, rate, {}});
          fabric.add_link(
              {nics.back(), leaves[static_cast<std::size_t>(index)], Tier::kInjection, rate, {}});
        }
        endpoints.push_back(
            {.accelerator = accelerator, .node = n, .local_index = i, .nic = i * nics_per_switch});
      }
    }
    fabric.set_endpoints(std::move(endpoints), 4);
  }
};

TEST(Faults, AcceleratorsMoveToTheNearestLiveNic) {
  TwoSockets same_switch(2, 2);
  same_switch.fabric.fail_vertex(same_switch.nics[0]);
  EXPECT_EQ(same_switch.fabric.rail_of(0), 1);
  EXPECT_FALSE(same_switch.fabric.endpoint(0).crosses_host);
  EXPECT_EQ(same_switch.fabric.endpoint(0).to_nic.size(), 2U);

  TwoSockets two(2);
  two.fabric.fail_vertex(two.nics[0]);
  EXPECT_EQ(two.fabric.rail_of(0), 1);  // of its own socket
  EXPECT_TRUE(two.fabric.endpoint(0).crosses_host);
  EXPECT_EQ(two.fabric.endpoint(0).to_nic.size(), 5U);  // over the host bridge
  EXPECT_EQ(two.fabric.rail_of(1), 1);
  two.fabric.fail_vertex(two.nics[1]);
  // The other socket; its NICs are shared out.
  EXPECT_EQ(two.fabric.rail_of(0), 2);
  EXPECT_EQ(two.fabric.rail_of(1), 3);
  EXPECT_EQ(two.fabric.accelerator_route(0, 4).size(), 5U + 4U + 2U);
  EXPECT_TRUE(two.fabric.same_leaf(0, 6));
  EXPECT_FALSE(two.fabric.same_leaf(0, 4));
  EXPECT_TRUE(two.fabric.cut_off_nodes().empty());
}

TEST(Faults, ALeafTakesItsRailFromEveryNode) {
  TwoSockets two(3);
  two.fabric.fail_vertex(two.leaves[2]);
  for (int n = 0; n < 3; ++n) {
    EXPECT_EQ(two.fabric.rail_of(4 * n + 2), 3);
    EXPECT_EQ(two.fabric.rail_of(4 * n + 1), 1);
  }
}

TEST(Faults, ALeafWithoutUplinksIsLeft) {
  FatTree tree({.num_nodes = 8,
                .nics_per_node = 2,
                .hosts_per_leaf = 4,
                .leaves_per_pod = 4,
                .spines_per_pod = 2,
                .rail_optimized = true});
  for (const VertexId spine : tree.spines) {
    tree.fabric.fail_link(tree.between(tree.leaves[1], spine));
  }
  for (int n = 0; n < 8; ++n) {
    EXPECT_EQ(tree.fabric.rail_of(2 * n), 0);
    EXPECT_EQ(tree.fabric.rail_of(2 * n + 1), n < 4 ? 0 : 1);
  }
  EXPECT_TRUE(tree.fabric.cut_off_nodes().empty());
}

TEST(Faults, ACutOffNodeIsNamed) {
  TwoSockets two(2);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(two.fabric.cut_off_nodes().empty());
    two.fabric.fail_vertex(two.nics[4 + i]);
  }
  ASSERT_EQ(two.fabric.cut_off_nodes().size(), 1U);
  EXPECT_EQ(two.fabric.cut_off_nodes()[0], 1);
  try {
    static_cast<void>(two.fabric.accelerator_route(0, 5));
    FAIL() << "reached a node without a NIC";
  } catch (const SimulationError& error) {
    EXPECT_STREQ(error.what(), "node 1 is cut off: accelerator 1 reaches none of its NICs");
  }
  EXPECT_EQ(two.fabric.accelerator_route(4, 5).size(), 5U);  // within the node it still works
}

TEST(Faults, ALeafWithoutUplinksCutsOffThoseWithNoOther) {
  FatTree tree(two_tiers());
  for (const VertexId spine : tree.spines) {
    tree.fabric.fail_link(tree.between(tree.leaves[7], spine));
  }
  ASSERT_EQ(tree.fabric.cut_off_nodes().size(), 8U);
  EXPECT_EQ(tree.fabric.cut_off_nodes()[0], 56);
  EXPECT_EQ(tree.fabric.accelerator_route(56, 57).size(), 6U);
  try {
    static_cast<void>(tree.fabric.accelerator_route(0, 57));
    FAIL() << "reached a leaf without uplinks";
  } catch (const SimulationError& error) {
    EXPECT_STREQ(error.what(), "node 57 is cut off from the others");
  }
}

TEST(Faults, TheOnlySwitchCutsOffEveryNode) {
  FatTree tree({.num_nodes = 3, .hosts_per_leaf = 3});
  tree.fabric.fail_vertex(tree.leaves[0]);
  EXPECT_EQ(tree.fabric.cut_off_nodes().size(), 3U);
  EXPECT_EQ(tree.fabric.bisection_bandwidth().base(), 0.0);
}

TEST(Faults, ADeadPcieSwitchCutsOffItsAcceleratorOnly) {
  TwoSockets two(2);
  two.fabric.fail_vertex(two.pcie_switches[0]);
  EXPECT_EQ(two.fabric.cut_off_nodes().size(), 1U);
  EXPECT_THROW(static_cast<void>(two.fabric.accelerator_route(0, 4)), SimulationError);
  EXPECT_EQ(two.fabric.rail_of(1), 1);
  EXPECT_FALSE(two.fabric.accelerator_route(1, 4).empty());
}

TEST(Faults, RoutesFoundBeforeAreForgotten) {
  FatTree tree(two_tiers());
  const std::vector<LinkId> before = tree.fabric.route(tree.nics[0], tree.nics[63]);
  tree.fabric.fail_link(before[1]);
  const std::vector<LinkId> after = tree.fabric.route(tree.nics[0], tree.nics[63]);
  EXPECT_EQ(after.size(), before.size());
  EXPECT_NE(after[1], before[1]);
  EXPECT_THROW(tree.fabric.fail_link(-1), SimulationError);
  EXPECT_THROW(tree.fabric.fail_vertex(100000), SimulationError);
}

}  // namespace
}  // namespace railwright::core
