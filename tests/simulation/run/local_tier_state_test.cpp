// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/local_tier_state.hpp"

#include <gtest/gtest.h>

#include "railwright/core/sim/random.hpp"

namespace railwright::simulation::replication {
namespace {

LocalCheckpoints keeping(int retention, int drain_every) {
  LocalCheckpoints plan;
  plan.retention = retention;
  plan.drain_every = drain_every;
  return plan;
}

void complete(LocalTierState& tier, std::int64_t step, std::int64_t steps_took,
              bool is_last = false) {
  StepTicks ticks{steps_took, 0, 0};
  tier.complete(step, ticks, is_last);
  EXPECT_EQ(ticks, StepTicks{});
}

TEST(LocalTierState, KeepsTheNewest) {
  const LocalCheckpoints plan = keeping(2, 1);
  LocalTierState tier(plan, false);
  EXPECT_TRUE(tier.is_empty());
  for (const std::int64_t step : {10, 20, 30}) complete(tier, step, 5);
  EXPECT_EQ(tier.size(), 2U);
  EXPECT_EQ(tier.newest(), 30);
  EXPECT_FALSE(tier.next_drain());
  EXPECT_EQ(tier.take_undrained(), (StepTicks{15, 0, 0}));
  EXPECT_EQ(tier.take_undrained(), StepTicks{});
}

TEST(LocalTierState, EachSecondGoesToStorage) {
  const LocalCheckpoints plan = keeping(1, 2);
  LocalTierState tier(plan, true);
  complete(tier, 10, 5);
  EXPECT_FALSE(tier.next_drain());
  complete(tier, 20, 6);
  ASSERT_TRUE(tier.next_drain());
  EXPECT_EQ(tier.drain().step, 20);
  EXPECT_EQ(tier.drain().ticks, (StepTicks{11, 0, 0}));
}

TEST(LocalTierState, TheLastStepIsDueInAnyCase) {
  const LocalCheckpoints plan = keeping(1, 100);
  LocalTierState tier(plan, true);
  complete(tier, 10, 5);
  complete(tier, 13, 2, true);
  ASSERT_TRUE(tier.next_drain());
  EXPECT_EQ(tier.drain().step, 13);
  EXPECT_EQ(tier.drain().ticks, (StepTicks{7, 0, 0}));
}

TEST(LocalTierState, WhatDrainsIsKeptBesideTheNewest) {
  const LocalCheckpoints plan = keeping(1, 1);
  LocalTierState tier(plan, true);
  complete(tier, 10, 1);
  ASSERT_TRUE(tier.next_drain());
  // While 10 drains, 20 and then 30 are due; 20 is then neither kept nor next.
  complete(tier, 20, 1);
  EXPECT_EQ(tier.size(), 2U);
  complete(tier, 30, 1);
  EXPECT_EQ(tier.size(), 2U);
  ASSERT_TRUE(tier.next_drain());
  EXPECT_EQ(tier.size(), 1U);
  EXPECT_EQ(tier.drain().step, 30);
  EXPECT_EQ(tier.drain().ticks, (StepTicks{2, 0, 0}));
  EXPECT_FALSE(tier.next_drain());
}

TEST(LocalTierState, ALostNodeLosesAll) {
  const LocalCheckpoints plan = keeping(3, 2);
  LocalTierState tier(plan, true);
  complete(tier, 10, 1);
  complete(tier, 20, 2);
  ASSERT_TRUE(tier.next_drain());
  for (const std::int64_t step : {30, 40, 50}) complete(tier, step, step);
  EXPECT_EQ(tier.lose(), 1 + 2 + 30 + 40 + 50);
  EXPECT_TRUE(tier.is_empty());
  EXPECT_FALSE(tier.next_drain());
  EXPECT_EQ(tier.lose(), 0);
}

TEST(LocalTierState, NoTickIsLostOrCountedTwice) {
  core::RandomStream random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const LocalCheckpoints plan =
        keeping(1 + static_cast<int>(random.below(4)), 1 + static_cast<int>(random.below(4)));
    LocalTierState tier(plan, true);
    std::int64_t put_in = 0;
    std::int64_t got_out = 0;
    for (std::int64_t step = 1; step <= 50; ++step) {
      const auto took = static_cast<std::int64_t>(random.below(100));
      complete(tier, step, took);
      put_in += took;
      if (random.below(3) == 0)
        got_out += sum(tier.next_drain() ? tier.drain().ticks : StepTicks{});
      // Beside what retention keeps there are at most the one that drains and the one that is due.
      EXPECT_LE(tier.size(), static_cast<std::size_t>(plan.retention) + 2);
      EXPECT_EQ(tier.newest(), step);
      if (random.below(20) != 0) continue;
      const std::int64_t drained = sum(tier.drain().ticks);
      got_out += tier.lose() - drained;
      complete(tier, step, 0);
    }
    while (tier.next_drain()) got_out += sum(tier.drain().ticks);
    got_out += sum(tier.take_undrained());
    EXPECT_EQ(put_in, got_out) << trial;
  }
}

}  // namespace
}  // namespace railwright::simulation::replication
