// SPDX-License-Identifier: Apache-2.0
// Transfers of pairs and communicators under another tuning, against communicators made anew.
#include "railwright/models/collective/pair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../../support/scenario.hpp"
#include "members.hpp"
#include "railwright/models/collective/communicator.hpp"

namespace railwright::models {
namespace {

const std::vector<std::vector<std::string>> kSystems{
    {},
    {"cluster.node.nics.transport=tcp"},
    {"cluster.nodes=16", "workload.global_batch=512", "cluster.routing.policy=ecmp",
     "cluster.fabric={topology: leaf_spine, switch: qm9790, num_leaves: 4, num_spines: 8}"},
    {"cluster.nodes=16", "workload.global_batch=512", "cluster.routing.policy=adaptive",
     "cluster.fabric={topology: leaf_spine, switch: qm9790, num_leaves: 4, num_spines: 8}"}};

void expect_same(const CollectiveFlow& one, const CollectiveFlow& other) {
  EXPECT_EQ(one.latency, other.latency);
  EXPECT_EQ(one.ceiling, other.ceiling);
  ASSERT_EQ(one.route.size(), other.route.size());
  for (std::size_t i = 0; i < one.route.size(); ++i) {
    EXPECT_EQ(one.route[i].link, other.route[i].link);
    EXPECT_EQ(one.route[i].coefficient, other.route[i].coefficient);
  }
}

TEST(Pair, FlowIsThatOfItsCommunicator) {
  for (const auto& settings : kSystems) {
    const test::BuiltScenario system(settings);
    const core::Fabric& fabric = system.built.fabric;
    const CollectiveTuning& tuning = system.checked.scenario.software.collectives;
    for (const int to : {1, 7, 8, 13, fabric.num_accelerators() - 1}) {
      for (const double bytes : {1.0, 1e4, 1e9}) {
        SCOPED_TRACE(settings.empty() ? std::string("plain") : settings.front());
        expect_same(pair_flow(fabric, 0, to, tuning, bytes),
                    Communicator(fabric, {0, to}, tuning).flow(CollectiveOp::kSendReceive, bytes));
      }
    }
  }
}

TEST(Pair, TransfersTogetherAreThoseOfEachMerged) {
  for (const auto& settings : kSystems) {
    SCOPED_TRACE(settings.empty() ? std::string("plain") : settings.front());
    const test::BuiltScenario system(settings);
    const core::Fabric& fabric = system.built.fabric;
    const CollectiveTuning& tuning = system.checked.scenario.software.collectives;
    PairFlows flows(fabric, tuning, 1e7);
    for (const int shift : {1, 8, 40}) {
      for (int first = 0; first < fabric.num_accelerators(); first += 8) {
        std::vector<std::pair<int, int>> pairs;
        std::vector<CollectiveFlow> each;
        for (int from = first; from < first + 8; ++from) {
          pairs.emplace_back(from, (from + shift) % fabric.num_accelerators());
          each.push_back(pair_flow(fabric, from, pairs.back().second, tuning, 1e7));
        }
        expect_same(flows.together(pairs), merge(each));
      }
    }
  }
}

TEST(Communicators, UnderAnotherTuningAreAsIfMadeForIt) {
  for (const auto& settings : kSystems) {
    const test::BuiltScenario system(settings);
    const core::Fabric& fabric = system.built.fabric;
    const CollectiveTuning& tuning = system.checked.scenario.software.collectives;
    CollectiveTuning other = tuning;
    other.network_launch.value = core::Duration::from_base(1.0);
    other.connections_per_nic.value = tuning.connections_per_nic.value + 1;
    const std::vector<int> members = test::data_parallel_group(2, 2, 0);
    const Communicator first(fabric, members, tuning);
    for (const CollectiveOp op : {CollectiveOp::kAllReduce, CollectiveOp::kReduceScatter}) {
      for (const double bytes : {1e3, 1e8}) {
        expect_same(first.flow(op, bytes), Communicator(fabric, members, tuning).flow(op, bytes));
        expect_same(first.with(other).flow(op, bytes),
                    Communicator(fabric, members, other).flow(op, bytes));
      }
    }
    EXPECT_GT(first.with(other).flow(CollectiveOp::kAllReduce, 1e3).latency,
              first.flow(CollectiveOp::kAllReduce, 1e3).latency);
  }
}

}  // namespace
}  // namespace railwright::models
