// SPDX-License-Identifier: Apache-2.0
// What must hold of every collective that a library of the catalogue would run, whatever its
// formulas are. Libraries, algorithms and operations come from their lists: a new one is covered.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/scenario.hpp"
#include "library.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/simulation/scenario/data_path.hpp"

namespace railwright::models {
namespace {

constexpr double kSizes[] = {1.0, 1e3, 64e3, 1e6, 30e6, 1e9, 1e12};

std::vector<std::string> libraries() {
  return core::Catalogue(simulation::catalogue_roots()).names(CollectiveTuning::kKind);
}

/// All of a node, one of each node, all of all nodes, and a group that lies unevenly.
std::vector<std::vector<int>> groups() {
  std::vector<int> all(32);
  std::iota(all.begin(), all.end(), 0);
  return {
      {0, 1, 2, 3, 4, 5, 6, 7}, {0, 8, 16, 24}, {3, 27}, {0, 9, 18}, {1, 3, 5, 7, 9, 11, 17}, all};
}

class CollectiveContract : public testing::TestWithParam<std::string> {
 protected:
  CollectiveContract()
      : system_(test::join({"cluster.nodes=4"}, test::on_its_devices(GetParam()))) {}

  /// Calls `check` for each operation by each algorithm on each group.
  template <class Check>
  void for_each(Check check) {
    const core::Fabric& fabric = system_.built.fabric;
    CollectiveTuning tuning = system_.checked.scenario.software.collectives;
    tuning.in_network_reduction.value = true;
    for (const std::string_view algorithm_name : CollectiveAlgorithm::names()) {
      tuning.all_reduce_algorithm.value = CollectiveAlgorithm(algorithm_name);
      for (const std::vector<int>& members : groups()) {
        const Communicator group(fabric, members, tuning);
        for (const auto& [op_name, op] : core::kWordsOf<CollectiveOp>) {
          SCOPED_TRACE(std::string(op_name) + " by " + std::string(algorithm_name) + " of " +
                       std::to_string(members.size()) + " from " + std::to_string(members[0]));
          check(group, op, members);
        }
      }
    }
  }
  [[nodiscard]] double seconds(const CollectiveFlow& flow, double bytes, double scale = 1.0) const {
    std::vector<double> capacity = system_.costs.capacity;
    for (double& c : capacity) c *= scale;
    return isolated_time(flow, bytes, capacity).base();
  }
  /// What an accelerator can send at most, over all its links.
  [[nodiscard]] double out_of(int accelerator) const {
    const core::Fabric& fabric = system_.built.fabric;
    double rate = 0.0;
    for (std::size_t l = 0; l < fabric.links().size(); ++l) {
      if (fabric.links()[l].from == fabric.endpoint(accelerator).accelerator) {
        rate += system_.costs.capacity[l];
      }
    }
    return rate;
  }

  test::BuiltScenario system_;
};

TEST_P(CollectiveContract, TimesAreFiniteAndPositiveAndGrowWithTheBytesOfOneChoice) {
  for_each([&](const Communicator& group, CollectiveOp op, const std::vector<int>&) {
    const CollectiveChoice choice = group.choice(op, 1e9);
    double before = 0.0;
    for (const double bytes : kSizes) {
      const double time = seconds(group.flow(op, bytes, choice), bytes);
      EXPECT_TRUE(std::isfinite(time)) << bytes;
      EXPECT_GT(time, 0.0) << bytes;
      EXPECT_GE(time, before * (1.0 - 1e-12)) << bytes;
      before = time;
    }
  });
}

TEST_P(CollectiveContract, NoBytesTakeTheLatencyAlone) {
  for_each([&](const Communicator& group, CollectiveOp op, const std::vector<int>&) {
    const CollectiveFlow flow = group.flow(op, 1e6);
    EXPECT_GE(flow.latency.base(), 0.0);
    EXPECT_DOUBLE_EQ(seconds(flow, 0.0), flow.latency.base());
  });
}

TEST_P(CollectiveContract, FasterLinksAreNeverSlowerAndGiveNoMoreThanTheyAre) {
  for_each([&](const Communicator& group, CollectiveOp op, const std::vector<int>&) {
    const CollectiveFlow flow = group.flow(op, 1e9);
    const double once = seconds(flow, 1e9);
    const double twice = seconds(flow, 1e9, 2.0);
    EXPECT_LE(twice, once);
    EXPECT_GE(twice, once / 2.0);
  });
}

// Whoever adds what: each member's own part of the buffer leaves it at least once.
TEST_P(CollectiveContract, NothingBeatsWhatTheLinksOfAMemberCarry) {
  for_each([&](const Communicator& group, CollectiveOp op, const std::vector<int>& members) {
    const double n = static_cast<double>(members.size());
    const bool whole = op == CollectiveOp::kBroadcast || op == CollectiveOp::kSendReceive;
    double share = whole ? 1.0 : (n - 1.0) / n;
    if (op == CollectiveOp::kAllGather) share = 1.0 / n;
    for (const double bytes : kSizes) {
      const double time = seconds(group.flow(op, bytes), bytes);
      EXPECT_GE(time, bytes * share / out_of(members[0])) << bytes;
    }
  });
}

// A relay (PXN) is a member: accelerators of other groups have work of their own.
TEST_P(CollectiveContract, OnlyMembersTakePart) {
  for_each([&](const Communicator& group, CollectiveOp op, const std::vector<int>& members) {
    const core::Fabric& fabric = system_.built.fabric;
    std::set<core::VertexId> own;
    for (const int member : members) own.insert(fabric.endpoint(member).accelerator);
    for (const core::LinkUse& use : group.flow(op, 1e9).route) {
      const core::Link& link = fabric.links()[static_cast<std::size_t>(use.link)];
      for (const core::VertexId end : {link.from, link.to}) {
        const core::Vertex& vertex = fabric.vertices()[static_cast<std::size_t>(end)];
        const bool is_foreign = vertex.role == core::Role::kAccelerator && !own.contains(end);
        EXPECT_FALSE(is_foreign) << vertex.label;
      }
    }
  });
}

TEST_P(CollectiveContract, SameQuestionSameAnswer) {
  for_each([&](const Communicator& group, CollectiveOp op, const std::vector<int>&) {
    const CollectiveFlow first = group.flow(op, 30e6);
    const CollectiveFlow second = group.flow(op, 30e6);
    EXPECT_EQ(seconds(first, 30e6), seconds(second, 30e6));
    EXPECT_FALSE(first.route.empty());
    for (const core::LinkUse& use : first.route) {
      EXPECT_GT(use.coefficient, 0.0);
      EXPECT_LT(static_cast<std::size_t>(use.link), system_.built.fabric.links().size());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CollectiveContract, testing::ValuesIn(libraries()),
                         [](const auto& way) {
                           std::string name = way.param;
                           for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace railwright::models
