// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/drawing/fabric_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "../../support/scenario.hpp"
#include "railwright/topologies/topology.hpp"
#include "wired_fabrics.hpp"

namespace railwright::output {
namespace {

using namespace core::literals;  // NOLINT(google-build-using-namespace)

using core::Role;
using core::Tier;

/// Multiplicities add up to the fabric: every vertex in one class, every cable in one link, and
/// every node in one class of nodes whose parts are shared with no other.
void expect_whole(const core::Fabric& fabric, const FabricClasses& folded) {
  std::vector<int> seen(fabric.vertices().size(), 0);
  for (std::size_t c = 0; c < folded.classes.size(); ++c) {
    for (const core::VertexId v : folded.classes[c].members) {
      ++seen[static_cast<std::size_t>(v)];
      EXPECT_EQ(folded.class_of[static_cast<std::size_t>(v)], static_cast<int>(c));
      EXPECT_EQ(fabric.vertices()[static_cast<std::size_t>(v)].role, folded.classes[c].role);
    }
  }
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));

  std::array<std::int64_t, core::kNumTiers> cables{};
  std::array<double, core::kNumTiers> bandwidth{};
  for (std::size_t l = 0; l < fabric.links().size(); l += 2) {
    const core::Link& link = fabric.links()[l];
    cables[static_cast<std::size_t>(link.tier)] += link.num_parallel;
    const bool is_bus = link.line_rate.base() == 0.0;
    bandwidth[static_cast<std::size_t>(link.tier)] +=
        (is_bus ? link.bandwidth : link.line_rate).base();
  }
  for (const ClassLink& link : folded.links) {
    cables[static_cast<std::size_t>(link.tier)] -= link.num_cables;
    bandwidth[static_cast<std::size_t>(link.tier)] -=
        link.cable.base() * static_cast<double>(link.num_cables);
  }
  for (std::size_t tier = 0; tier < cables.size(); ++tier) {
    EXPECT_EQ(cables[tier], 0) << tier;
    EXPECT_NEAR(bandwidth[tier], 0.0, 1e3) << tier;
  }

  std::set<int> nodes;
  std::set<int> parts;
  std::size_t num_parts = 0;
  for (const NodeClass& node : folded.nodes) {
    nodes.insert(node.nodes.begin(), node.nodes.end());
    parts.insert(node.classes.begin(), node.classes.end());
    num_parts += node.classes.size();
    for (const int c : node.classes) {
      EXPECT_EQ(folded.classes[static_cast<std::size_t>(c)].members.size() % node.nodes.size(), 0U);
    }
  }
  EXPECT_EQ(nodes.size(), static_cast<std::size_t>(fabric.num_nodes()));
  EXPECT_EQ(parts.size(), num_parts);
}

/// "rails of switches: members" of every switch class.
std::map<std::string, std::size_t> switch_classes(const core::Fabric& fabric,
                                                  const FabricClasses& folded) {
  std::map<std::string, std::size_t> classes;
  for (const VertexClass& c : folded.classes) {
    if (c.role != Role::kSwitch) continue;
    classes[fabric.vertices()[static_cast<std::size_t>(c.members.front())].label +
            (c.is_failed ? " failed" : "")] = c.members.size();
  }
  return classes;
}

TEST(FabricClasses, RailsStayApartAndSpinesFold) {
  const auto wired = test::wired_rails(6, 4);
  const FabricClasses folded = fold(wired.fabric);
  expect_whole(wired.fabric, folded);
  EXPECT_TRUE(folded.has_rails);
  const std::map<std::string, std::size_t> expected{
      {"leaf 0", 1}, {"leaf 1", 1}, {"leaf 2", 1}, {"leaf 3", 1}, {"spine 0", 2}};
  EXPECT_EQ(switch_classes(wired.fabric, folded), expected);
  ASSERT_EQ(folded.nodes.size(), 1U);
  EXPECT_EQ(folded.nodes[0].nodes.size(), 6U);
  EXPECT_EQ(folded.nodes[0].classes.size(), 2U + 4U + 4U);
  EXPECT_EQ(folded.num_levels(), 2);
}

TEST(FabricClasses, MoreThanEightRailsFoldToo) {
  const auto wired = test::wired_rails(3, 9);
  const FabricClasses folded = fold(wired.fabric);
  expect_whole(wired.fabric, folded);
  EXPECT_FALSE(folded.has_rails);
  const std::map<std::string, std::size_t> expected{{"leaf 0", 9}, {"spine 0", 2}};
  EXPECT_EQ(switch_classes(wired.fabric, folded), expected);
  EXPECT_EQ(folded.nodes[0].classes.size(), 4U);
}

TEST(FabricClasses, AFailedLeafIsAClassOfItsOwnAndItsNodesStayAlike) {
  auto wired = test::wired_rails(6, 9);
  wired.fabric.fail_vertex(wired.leaves[3]);
  const FabricClasses folded = fold(wired.fabric);
  expect_whole(wired.fabric, folded);
  const std::map<std::string, std::size_t> expected{
      {"leaf 0", 8}, {"leaf 3 failed", 1}, {"spine 0", 2}};
  EXPECT_EQ(switch_classes(wired.fabric, folded), expected);
  EXPECT_EQ(folded.nodes.size(), 1U);
  std::int64_t failed = 0;
  for (const ClassLink& link : folded.links) failed += link.is_failed ? link.num_cables : 0;
  EXPECT_EQ(failed, 6 + 2 * 2);
}

TEST(FabricClasses, ANodeWithAFailedNicIsAClassOfItsOwn) {
  auto wired = test::wired_rails(6, 4);
  wired.fabric.fail_vertex(wired.fabric.vertices_with(Role::kNic, 2).at(1));
  const FabricClasses folded = fold(wired.fabric);
  expect_whole(wired.fabric, folded);
  ASSERT_EQ(folded.nodes.size(), 2U);
  EXPECT_EQ(folded.nodes[1].nodes, std::vector<int>{2});
}

TEST(FabricClasses, ManyWaysToBeWiredBecomeTwoClassesOfNodes) {
  auto wired = test::wired_rails(6, 3);
  for (int node = 0; node < 5; ++node) {
    for (int cable = 0; cable <= node; ++cable) {
      wired.fabric.add_link({wired.fabric.vertices_with(Role::kNic, node).front(),
                             wired.leaves[1],
                             Tier::kInjection,
                             100.0_Gbps,
                             {}});
    }
  }
  const FabricClasses folded = fold(wired.fabric);
  EXPECT_EQ(folded.nodes.size(), 2U);
  expect_whole(wired.fabric, folded);
}

class EveryTopology : public ::testing::TestWithParam<test::Settings> {};

TEST_P(EveryTopology, MultiplicitiesAddUp) {
  const auto checked = test::scenario(GetParam());
  const auto built = checked.topology->build(checked.scenario.cluster);
  expect_whole(built.fabric, fold(built.fabric));
}

INSTANTIATE_TEST_SUITE_P(
    FabricClasses, EveryTopology,
    ::testing::Values(
        test::Settings{}, test::Settings{"cluster.nodes=6"},
        test::Settings{"cluster.node.nics.count=4"},
        test::Settings{"cluster.node.nics={nic: connectx-7, count: 3}"},
        test::Settings{"cluster.node.nics.wiring=alternate", "cluster.node.nics.count=4"},
        test::join({"cluster.nodes=4"}, test::dual_switch(32)),
        test::Settings{"cluster.nodes=6",
                       "cluster.fabric={topology: rail_optimized, switch: qm9790}"},
        test::Settings{"cluster.nodes=6",
                       "cluster.fabric={topology: rail_optimized, switch: qm9790, "
                       "nodes_per_group: 1, tiers: 3}"},
        test::Settings{"cluster.nodes=6",
                       "cluster.fabric={topology: pod, switch: qm9790, "
                       "nodes_per_pod: 4, upper_switches: 4}"},
        test::join({"cluster.nodes=6", "cluster.storage.count=5"}, test::dual_switch(3))));

TEST(FabricClasses, RailsOfManyNodesStayApart) {
  // 96 nodes fill three groups of 32, of which each rail has a leaf, and 4 are a fourth, smaller
  // one.
  const auto checked =
      test::scenario({"cluster.nodes=100", "workload.global_batch=400",
                      "cluster.fabric={topology: rail_optimized, switch: qm9790}"});
  const auto built = checked.topology->build(checked.scenario.cluster);
  const FabricClasses folded = fold(built.fabric);
  expect_whole(built.fabric, folded);
  EXPECT_TRUE(folded.has_rails);
  const auto leaves = std::ranges::count_if(
      folded.classes, [](const VertexClass& c) { return c.role == Role::kSwitch && c.level == 0; });
  EXPECT_EQ(leaves, 8);
  EXPECT_EQ(folded.nodes.size(), 1U);
}

TEST(FabricClasses, PlanesStayApart) {
  const auto checked = test::scenario({"cluster.nodes=32", "workload.global_batch=128",
                                       "cluster.node.nics.nic={model: connectx-7, num_ports: 2}",
                                       "cluster.fabric=two-planes-of-rails"});
  const auto built = checked.topology->build(checked.scenario.cluster);
  const FabricClasses folded = fold(built.fabric);
  expect_whole(built.fabric, folded);
  const std::map<std::string, std::size_t> classes = switch_classes(built.fabric, folded);
  ASSERT_TRUE(classes.contains("plane 0 spine 0"));
  ASSERT_TRUE(classes.contains("plane 1 spine 0"));
  EXPECT_EQ(classes.at("plane 0 spine 0"), classes.at("plane 1 spine 0"));
}

TEST(FabricClasses, TwoJoinedSwitchesAreToldApart) {
  const auto checked = test::scenario(test::join({"cluster.nodes=4"}, test::dual_switch(32)));
  const auto built = checked.topology->build(checked.scenario.cluster);
  const FabricClasses folded = fold(built.fabric);
  EXPECT_EQ(switch_classes(built.fabric, folded).size(), 2U);
  ASSERT_EQ(folded.nodes.size(), 2U);
  EXPECT_EQ(folded.nodes[0].nodes, (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace railwright::output
