// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/assembly/nic_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "example_cluster.hpp"

namespace railwright::topologies {
namespace {

using core::NicWiring;

std::vector<int> nics_of(const NicPlan& plan) {
  std::vector<int> nics;
  for (const auto& accelerator : plan.accelerators) nics.push_back(accelerator.nic);
  return nics;
}

std::vector<int> crossing(const NicPlan& plan) {
  std::vector<int> who;
  for (int a = 0; a < static_cast<int>(plan.accelerators.size()); ++a) {
    if (plan.accelerators[static_cast<std::size_t>(a)].crosses_host) who.push_back(a);
  }
  return who;
}

NicPlan plan(int count, NicWiring wiring = NicWiring::kShared) {
  return plan_nics(testing::example_node(count, wiring));
}

TEST(NicPlan, EightNicsAreOneEach) {
  for (const NicWiring wiring : {NicWiring::kShared, NicWiring::kAlternate}) {
    EXPECT_EQ(nics_of(plan(8, wiring)), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_TRUE(crossing(plan(8, wiring)).empty());
  }
}

TEST(NicPlan, FourSharedNicsServeTheTwoOfTheirSwitch) {
  EXPECT_EQ(nics_of(plan(4)), (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_TRUE(crossing(plan(4)).empty());
}

TEST(NicPlan, FourAlternateNicsMakeTheOddOnesCross) {
  const NicPlan alternate = plan(4, NicWiring::kAlternate);
  EXPECT_EQ(nics_of(alternate), (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(crossing(alternate), (std::vector<int>{1, 3, 5, 7}));
}

TEST(NicPlan, TwoSharedNicsAreCrossedToWithinTheSocket) {
  const NicPlan two = plan(2);
  EXPECT_EQ(two.nics[1].pcie_switch, 2);
  EXPECT_EQ(nics_of(two), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(crossing(two), (std::vector<int>{2, 3, 6, 7}));
}

TEST(NicPlan, AnUnevenCountIsShared) {
  EXPECT_EQ(nics_of(plan(6)), (std::vector<int>{0, 1, 2, 2, 3, 4, 5, 5}));
  EXPECT_TRUE(crossing(plan(6)).empty());
  EXPECT_EQ(nics_of(plan(3)), (std::vector<int>{0, 0, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(crossing(plan(3)), (std::vector<int>{6, 7}));
}

TEST(NicPlan, EveryCountGivesEveryAcceleratorANicAndLeavesNoneUnused) {
  for (const NicWiring wiring : {NicWiring::kShared, NicWiring::kAlternate}) {
    for (int count = 1; count <= 24; ++count) {
      SCOPED_TRACE(count);
      const NicPlan p = plan(count, wiring);
      const int num_vertices = std::min(count, 8);
      ASSERT_EQ(p.nics.size(), static_cast<std::size_t>(num_vertices));
      EXPECT_EQ(p.num_nics(), count);
      std::vector<int> users(p.nics.size());
      for (const auto& accelerator : p.accelerators) {
        ASSERT_GE(accelerator.nic, 0);
        ASSERT_LT(accelerator.nic, num_vertices);
        ++users[static_cast<std::size_t>(accelerator.nic)];
        const auto& nic = p.nics[static_cast<std::size_t>(accelerator.nic)];
        if (!accelerator.crosses_host) {
          EXPECT_EQ(nic.pcie_switch, accelerator.pcie_switch);
        }
        if (wiring == NicWiring::kShared && accelerator.crosses_host) {
          EXPECT_NE(nic.pcie_switch, accelerator.pcie_switch);
        }
      }
      for (const int n : users) EXPECT_GE(n, 1);
      const int num_crossing = static_cast<int>(crossing(p).size());
      if (wiring == NicWiring::kAlternate) {
        EXPECT_EQ(num_crossing, 8 - num_vertices);
      } else {
        EXPECT_EQ(num_crossing, 8 - 2 * std::min(count, 4));
      }
    }
  }
}

TEST(NicPlan, NicsBeyondTheAcceleratorsAreSpreadOverThemAndTheirSwitches) {
  for (int count = 9; count <= 24; ++count) {
    SCOPED_TRACE(count);
    std::vector<int> on_switch(4);
    for (const NicPlan::Nic& nic : plan(count).nics) {
      EXPECT_GE(nic.num_adapters, count / 8);
      EXPECT_LE(nic.num_adapters, (count + 7) / 8);
      on_switch[static_cast<std::size_t>(nic.pcie_switch)] += nic.num_adapters;
    }
    for (const int n : on_switch) {
      EXPECT_GE(n, count / 4);
      EXPECT_LE(n, (count + 3) / 4);
    }
  }
}

TEST(NicPlan, SwitchesWithoutAcceleratorsGetNoNics) {
  core::ComputeNode node = testing::example_node(4, NicWiring::kShared);
  node.num_accelerators.value = 4;
  node.num_pcie_switches.value = 8;
  const NicPlan p = plan_nics(node);
  EXPECT_EQ(nics_of(p), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(crossing(p).empty());
  EXPECT_TRUE(find_problems(node).empty());
}

/// Four trays of one socket, two PCIe switches and two accelerators each.
core::ComputeNode node_of_trays(int num_nics) {
  core::ComputeNode node = testing::example_node(num_nics, NicWiring::kShared);
  node.num_pcie_switches.value = 8;
  node.num_hosts.value = 4;
  node.num_trays = 4;
  return node;
}

TEST(NicPlan, NobodyReachesTheNicOfAnotherTray) {
  const NicPlan four = plan_nics(node_of_trays(4));
  EXPECT_EQ(nics_of(four), (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(crossing(four), (std::vector<int>{1, 3, 5, 7}));
  EXPECT_TRUE(find_problems(node_of_trays(4)).empty());
  EXPECT_EQ(nics_of(plan_nics(node_of_trays(2))), (std::vector<int>{0, 0, -1, -1, 1, 1, -1, -1}));
  const auto problems = find_problems(node_of_trays(2));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].key, "nics.count");
}

TEST(NicPlan, FindsWhatDoesNotGoTogether) {
  core::ComputeNode node = testing::example_node(8, NicWiring::kShared);
  EXPECT_TRUE(find_problems(node).empty());
  node.num_hosts.value = 5;
  ASSERT_EQ(find_problems(node).size(), 1U);
  EXPECT_EQ(find_problems(node)[0].key, "num_hosts");
  node = testing::example_node(7, NicWiring::kShared);
  node.num_accelerators.value = 7;
  EXPECT_TRUE(find_problems(node).empty());
  node.scale_up = core::ScaleUp::kPairs;
  ASSERT_EQ(find_problems(node).size(), 1U);
  EXPECT_EQ(find_problems(node)[0].key, "num_accelerators");
  node = testing::example_node(8, NicWiring::kShared);
  node.num_trays = 3;
  ASSERT_EQ(find_problems(node).size(), 1U);
  EXPECT_EQ(find_problems(node)[0].key, "num_trays");
}

}  // namespace
}  // namespace railwright::topologies
