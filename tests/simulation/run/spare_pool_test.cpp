// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/spare_pool.hpp"

#include <gtest/gtest.h>

namespace railwright::simulation::replication {
namespace {

constexpr auto kAllWait = [](std::size_t) { return true; };

TEST(SparePool, LendsAsManyAsThereAre) {
  SparePool spares(2);
  EXPECT_TRUE(spares.take(0));
  EXPECT_TRUE(spares.take(0));
  EXPECT_FALSE(spares.take(0));
  EXPECT_EQ(spares.num_spares(), 0);
}

TEST(SparePool, JobsGetNodesInTurn) {
  SparePool spares(0);
  EXPECT_FALSE(spares.take(4));
  EXPECT_FALSE(spares.take(2));
  EXPECT_EQ(spares.give_back(kAllWait), 4U);
  EXPECT_EQ(spares.give_back(kAllWait), 2U);
  EXPECT_EQ(spares.num_spares(), 0);
  EXPECT_EQ(spares.give_back(kAllWait), std::nullopt);
  EXPECT_EQ(spares.num_spares(), 1);
}

TEST(SparePool, JobThatNoLongerWaitsLosesItsTurn) {
  SparePool spares(0);
  for (const std::size_t job : {0U, 1U, 2U}) EXPECT_FALSE(spares.take(job));
  EXPECT_EQ(spares.give_back([](std::size_t job) { return job == 1; }), 1U);
  EXPECT_EQ(spares.give_back([](std::size_t job) { return job != 2; }), std::nullopt);
  EXPECT_TRUE(spares.take(0));
}

TEST(SparePool, NodesAreNeitherLostNorMade) {
  SparePool spares(3);
  int num_lent = 0;
  int num_waiting = 0;
  for (int i = 0; i < 100; ++i) {
    if (i % 7 < 4) {
      spares.take(0) ? ++num_lent : ++num_waiting;
    } else if (num_lent > 0) {
      spares.give_back(kAllWait) ? --num_waiting : --num_lent;
    }
    EXPECT_EQ(spares.num_spares() + num_lent, 3) << i;
    EXPECT_TRUE(num_waiting == 0 || spares.num_spares() == 0) << i;
  }
}

}  // namespace
}  // namespace railwright::simulation::replication
