// SPDX-License-Identifier: Apache-2.0
// Which accelerator is which rank, under orders of the dimensions.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {
namespace {

/// Mixtral on 64 accelerators: tp 2, cp 2, pp 2, dp 8.
test::Settings mixtral(const std::string& order, const std::string& more = "ep: 4, etp: 1") {
  return {"workload.model=mixtral-8x7b", "workload.global_batch=64", "cluster.nodes=8",
          "parallelism={tp: 2, cp: 2, pp: 2, sequence_parallel: true, rank_order: " + order + ", " +
              more + "}"};
}

TEST(Order, GivesEachRankAnAcceleratorOfItsOwn) {
  for (const char* order : {"tp-cp-ep-dp-pp", "tp-pp-dp-cp-ep", "pp-dp-ep-cp-tp"}) {
    const Layout layout = test::scenario(mixtral(order)).layout;
    ASSERT_EQ(layout.dp, 8);
    std::set<int> met;
    for (int stage = 0; stage < 2; ++stage) {
      for (int replica = 0; replica < 16; ++replica) {
        for (int tensor = 0; tensor < 2; ++tensor) {
          met.insert(layout.accelerator(tensor, replica, stage));
        }
      }
    }
    EXPECT_EQ(met.size(), 64U) << order;
    EXPECT_EQ(*met.begin(), 0) << order;
    EXPECT_EQ(*met.rbegin(), 63) << order;
  }
}

TEST(Order, PutsRanksOfTheFirstDimensionNextToOneAnother) {
  const Layout megatron = test::scenario(mixtral("tp-cp-ep-dp-pp")).layout;
  EXPECT_EQ(megatron.accelerator(1, 0, 0), 1);
  EXPECT_EQ(megatron.accelerator(0, 1, 0), 2);  // the second rank of the sequence
  EXPECT_EQ(megatron.accelerator(0, 2, 0), 4);  // the second sequence
  EXPECT_EQ(megatron.accelerator(0, 0, 1), 32);
  const Layout stages_first = test::scenario(mixtral("pp-tp-cp-ep-dp")).layout;
  EXPECT_EQ(stages_first.accelerator(0, 0, 1), 1);
  EXPECT_EQ(stages_first.accelerator(1, 0, 0), 2);
}

TEST(Order, ExpertsDivideAStageASecondTime) {
  const Layout whole = test::scenario(mixtral("tp-cp-ep-dp-pp")).layout;
  EXPECT_EQ(expert_group(whole, 0, 0), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(expert_group(whole, 6, 1), (std::vector{36, 37, 38, 39}));
  EXPECT_EQ(expert_replicas(whole, 1, 0), (std::vector{1, 5, 9, 13, 17, 21, 25, 29}));
  EXPECT_EQ(whole.num_expert_replicas(), 8);
  const Layout cut = test::scenario(mixtral("tp-cp-ep-dp-pp", "ep: 4, etp: 2")).layout;
  EXPECT_EQ(expert_group(cut, 1, 0), (std::vector{1, 3, 5, 7}));
  EXPECT_EQ(expert_replicas(cut, 1, 0), (std::vector{1, 9, 17, 25}));
}

TEST(Order, ExpertGroupsPartitionAStage) {
  for (const char* order : {"tp-cp-ep-dp-pp", "dp-tp-ep-cp-pp"}) {
    const Layout layout = test::scenario(mixtral(order)).layout;
    std::vector<int> members;
    for (int rank = 0; rank < layout.stage_size(); ++rank) {
      const auto group = expert_group(layout, rank, 1);
      members.insert(members.end(), group.begin(), group.end());
    }
    std::ranges::sort(members);
    // Each rank is met once by each of the four members of its group.
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(std::ranges::count(members, members[i]), 4) << order;
    }
  }
}

TEST(Order, RefusesDivisionsThatCannotBe) {
  const Training training = test::scenario(mixtral("tp-cp-ep-dp-pp")).scenario.workload;
  struct RefusedDivision {
    Parallelism parallelism;
    const char* key;
    const char* part_of_message;
  };
  const RefusedDivision refusals[] = {
      {{.tp = 2, .rank_order = "tp-cp-dp-pp"}, "parallelism.rank_order", "once each"},
      {{.tp = 2, .rank_order = "tp-tp-ep-dp-pp"}, "parallelism.rank_order", "once each"},
      {{.tp = 2, .ep = 3, .sequence_parallel = true}, "parallelism.ep", "8 experts"},
      {{.tp = 2, .ep = 8}, "parallelism.sequence_parallel", "its own tokens"},
      {{.tp = 4, .etp = 2, .sequence_parallel = true}, "parallelism.etp", "got etp 2"},
      {{.cp = 3}, "parallelism.cp", "do not divide sequence_length"},
      {{.tp = 2, .zero_group = 5}, "parallelism.zero_group", "32 replicas"},
      {{.tp = 2, .pp = 2, .virtual_stages = 2, .schedule = Schedule("gpipe")},
       "parallelism.virtual_stages",
       "one model chunk"},
  };
  for (const RefusedDivision& refusal : refusals) {
    Layout layout;
    const auto problems = make_layout(training, refusal.parallelism, 64, layout);
    const bool found = std::ranges::any_of(problems, [&](const core::Problem& problem) {
      return problem.key == refusal.key &&
             problem.message.find(refusal.part_of_message) != std::string::npos;
    });
    EXPECT_TRUE(found) << refusal.key << ": " << refusal.part_of_message;
  }
}

}  // namespace
}  // namespace railwright::models
