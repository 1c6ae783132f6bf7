// SPDX-License-Identifier: Apache-2.0
// Routing by hash and adaptive routing.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fat_tree.hpp"

namespace railwright::core {
namespace {

using testing::FatTree;
using testing::three_tiers;
using testing::two_tiers;

std::vector<LinkUse> route(const Fabric& fabric, int from, int to, std::uint32_t channel = 0) {
  std::vector<LinkUse> uses;
  fabric.append_route(from, to, channel, uses);
  return uses;
}

std::vector<LinkId> links(const std::vector<LinkUse>& uses) {
  std::vector<LinkId> ids;
  for (const LinkUse& use : uses) ids.push_back(use.link);
  return ids;
}

TEST(EcmpRouting, FollowsTheSeedAlone) {
  FatTree first(three_tiers());
  FatTree second(three_tiers());
  FatTree other(three_tiers());
  first.fabric.set_routing({.routing = Routing::kEcmp, .seed = 7});
  second.fabric.set_routing({.routing = Routing::kEcmp, .seed = 7});
  other.fabric.set_routing({.routing = Routing::kEcmp, .seed = 8});
  int num_different = 0;
  for (int to = 63; to > 0; --to) static_cast<void>(route(second.fabric, 0, to));
  for (int to = 1; to < 64; ++to) {
    EXPECT_EQ(links(route(first.fabric, 0, to)), links(route(second.fabric, 0, to)));
    num_different += links(route(first.fabric, 0, to)) != links(route(other.fabric, 0, to)) ? 1 : 0;
  }
  EXPECT_GT(num_different, 30);
}

TEST(EcmpRouting, BalancesManyFlows) {
  FatTree tree(three_tiers());
  tree.fabric.set_routing({.routing = Routing::kEcmp, .seed = 3});
  std::vector<double> flows(tree.fabric.links().size());
  constexpr std::uint32_t kChannels = 400;
  for (std::uint32_t channel = 0; channel < kChannels; ++channel) {
    for (int from = 0; from < 4; ++from) {
      for (const LinkUse& use : route(tree.fabric, from, 63 - from, channel)) {
        flows[static_cast<std::size_t>(use.link)] += 1.0;
      }
    }
  }
  // 1,600 flows over 4 spines and 16 cores: chi-square with 3 and 15 degrees of freedom; these are
  // exceeded once in 10,000 seeds.
  const auto chi_square = [&](const std::vector<double>& counts) {
    const double expected = 4.0 * kChannels / static_cast<double>(counts.size());
    double sum = 0.0;
    for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
  };
  std::vector<double> by_spine;
  std::vector<double> by_core;
  for (std::size_t s = 0; s < 4; ++s) {
    by_spine.push_back(
        flows[static_cast<std::size_t>(tree.between(tree.leaves[0], tree.spines[s]))]);
    for (std::size_t c = 0; c < 4; ++c) {
      by_core.push_back(
          flows[static_cast<std::size_t>(tree.between(tree.spines[s], tree.cores[4 * s + c]))]);
    }
  }
  EXPECT_LT(chi_square(by_spine), 21.1);
  EXPECT_LT(chi_square(by_core), 44.3);
  EXPECT_GT(chi_square(by_core), 1.5);  // a hash, not a deal
}

TEST(AdaptiveRouting, SpreadsOverAllWaysAndLosesNothing) {
  FatTree tree(three_tiers());
  tree.fabric.set_routing({.routing = Routing::kAdaptive});
  const std::vector<LinkUse> uses = route(tree.fabric, 0, 63);
  // 3 links at each end; 4 up and down between leaf and spines, 16 between spines and cores.
  EXPECT_EQ(uses.size(), 6U + 2 * 4U + 2 * 16U);
  std::vector<double> balance(tree.fabric.vertices().size());
  for (const LinkUse& use : uses) {
    balance[static_cast<std::size_t>(tree.link(use.link).from)] -= use.coefficient;
    balance[static_cast<std::size_t>(tree.link(use.link).to)] += use.coefficient;
  }
  for (std::size_t v = 0; v < balance.size(); ++v) {
    const auto vertex = static_cast<VertexId>(v);
    const double expected = vertex == tree.fabric.endpoint(0).accelerator    ? -1.0
                            : vertex == tree.fabric.endpoint(63).accelerator ? 1.0
                                                                             : 0.0;
    EXPECT_DOUBLE_EQ(balance[v], expected);
  }
  for (const LinkUse& use : uses) {
    const Link& link = tree.link(use.link);
    if (link.tier != Tier::kFabric) continue;
    const bool meets_core = tree.fabric.vertices()[static_cast<std::size_t>(link.to)].level == 2 ||
                            tree.fabric.vertices()[static_cast<std::size_t>(link.from)].level == 2;
    EXPECT_DOUBLE_EQ(use.coefficient, meets_core ? 1.0 / 16 : 1.0 / 4);
  }
  EXPECT_NEAR(tree.fabric.latency(uses).base(), 6e-6, 1e-18);
}

TEST(AdaptiveRouting, GivesWiderLinksMore) {
  Fabric fabric;
  const VertexId a = fabric.add_vertex({Role::kSwitch, -1, 0, "leaf 0"});
  const VertexId b = fabric.add_vertex({Role::kSwitch, -1, 1, "leaf 1"});
  const Bandwidth cable = Bandwidth::from_base(50e9);
  const LinkId wide = fabric.add_link({a, b, Tier::kFabric, cable * 3, {}, 3});
  const LinkId thin = fabric.add_link({a, b, Tier::kFabric, cable, {}});
  const std::vector<LinkUse> uses = fabric.spread_route(a, b);
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_EQ(uses[0].link, wide);
  EXPECT_DOUBLE_EQ(uses[0].coefficient, 0.75);
  EXPECT_EQ(uses[1].link, thin);
  EXPECT_DOUBLE_EQ(uses[1].coefficient, 0.25);
}

TEST(Routing, AllPoliciesAgreeWhereThereIsOneWay) {
  for (const auto& shape :
       {testing::Shape{.num_nodes = 8, .hosts_per_leaf = 8},
        testing::Shape{
            .num_nodes = 16, .hosts_per_leaf = 4, .leaves_per_pod = 4, .spines_per_pod = 1}}) {
    FatTree tree(shape);
    for (int a = 0; a < shape.num_nodes; ++a) {
      for (int b = 0; b < shape.num_nodes; ++b) {
        const std::vector<LinkId> way = tree.fabric.accelerator_route(a, b);
        for (const Routing routing : {Routing::kStatic, Routing::kEcmp, Routing::kAdaptive}) {
          tree.fabric.set_routing({.routing = routing, .seed = 5});
          const std::vector<LinkUse> uses = route(tree.fabric, a, b, 9);
          EXPECT_EQ(links(uses), way);
          for (const LinkUse& use : uses) EXPECT_EQ(use.coefficient, 1.0);
        }
      }
    }
  }
}

/// Two planes with a switch each; every NIC has a port on both.
struct TwoPlanes {
  Fabric fabric;
  std::vector<VertexId> planes;
  std::vector<VertexId> nics;
  TwoPlanes() {
    for (int p = 0; p < 2; ++p) {
      planes.push_back(fabric.add_vertex({Role::kSwitch, -1, p, "plane " + std::to_string(p)}));
    }
    for (int n = 0; n < 3; ++n) {
      nics.push_back(fabric.add_vertex({Role::kNic, n, 0, "NIC " + std::to_string(n)}));
      for (const VertexId plane : planes) {
        fabric.add_link({nics.back(), plane, Tier::kInjection, Bandwidth::from_base(25e9), {}});
      }
    }
  }
};

TEST(Routing, ChannelsAreDealtOverThePlanes) {
  TwoPlanes two;
  const auto plane_of = [&](std::uint32_t channel) {
    std::vector<LinkUse> uses;
    two.fabric.append_vertex_route(two.nics[0], two.nics[1], channel, uses);
    EXPECT_EQ(uses.size(), 2U);
    return two.fabric.links()[static_cast<std::size_t>(uses[0].link)].to;
  };
  EXPECT_NE(plane_of(0), plane_of(1));
  EXPECT_EQ(plane_of(0), plane_of(2));
  EXPECT_EQ(two.fabric.spread_route(two.nics[0], two.nics[1]).size(), 4U);
  // A port that fails at one end closes its plane for the pair.
  two.fabric.fail_link(4);
  EXPECT_EQ(plane_of(0), two.planes[1]);
  EXPECT_EQ(plane_of(1), two.planes[1]);
  EXPECT_EQ(two.fabric.spread_route(two.nics[0], two.nics[1]).size(), 2U);
  EXPECT_EQ(two.fabric.spread_route(two.nics[0], two.nics[2]).size(), 4U);
}

}  // namespace
}  // namespace railwright::core
