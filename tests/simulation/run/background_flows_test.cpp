// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/background_flows.hpp"

#include <gtest/gtest.h>

#include "railwright/models/parallelism/parallelism.hpp"
#include "two_storage_nodes.hpp"

namespace railwright::simulation::replication {
namespace {

using test::at;

/// Two storage nodes whose others read 30 bytes/s for 10 s.
RunModel with_others() {
  RunModel model = test::two_storage_nodes();
  OtherLoad load;
  load.start = core::Duration::from_base(5.0);
  load.duration = core::Duration::from_base(10.0);
  load.read = core::Bandwidth::from_base(30.0);
  model.plan.other_loads = {load};
  return model;
}

struct BackgroundFlowsTest : testing::Test {
  RunModel model = with_others();
  test::FlowsOf run{model};
  BackgroundFlows background{model, run.flows, run.events};
};

TEST_F(BackgroundFlowsTest, RebuildGrowsByEachLostNode) {
  background.rebuild(1000);
  run.run_until(at(4));
  background.rebuild(300);
  EXPECT_EQ(run.next().kind, EventKind::kRebuilt);
  EXPECT_EQ(run.engine.now(), at(13));
  background.end_rebuild();
  background.rebuild(200);
  EXPECT_EQ(run.next().kind, EventKind::kRebuilt);
  EXPECT_EQ(run.engine.now(), at(15));
}

TEST_F(BackgroundFlowsTest, RebuildMovesOnOverTheNodesThatAreUp) {
  background.rebuild(1000);
  run.run_until(at(4));
  run.flows.lose_node();
  background.move_on();
  // 400 bytes in 4 s, 600 at half the rate.
  EXPECT_EQ(run.next().kind, EventKind::kRebuilt);
  EXPECT_EQ(run.engine.now(), at(16));
}

TEST_F(BackgroundFlowsTest, NothingIsRebuiltWhileStorageIsOffline) {
  background.rebuild(1000);
  const std::size_t num_places = run.events.num_places();
  run.flows.lose_node();
  run.flows.lose_node();
  background.move_on();
  background.rebuild(500);
  EXPECT_EQ(run.engine.network().num_flows(), 0U);
  run.events.add(EventKind::kStart, 0);
  EXPECT_EQ(run.events.num_places(), num_places);
}

TEST_F(BackgroundFlowsTest, OthersTakeTheirTime) {
  ASSERT_EQ(background.others().size(), 2U);
  EXPECT_EQ(background.start_of(0), at(5));
  background.start(0);
  background.start(1);
  EXPECT_TRUE(background.others()[0].is_under_way());
  EXPECT_FALSE(background.others()[0].is_write);
  // They write nothing.
  EXPECT_FALSE(background.others()[1].is_under_way());
  EXPECT_EQ(background.others()[0].size, 300);
  const Event end = run.next();
  EXPECT_EQ(end.kind, EventKind::kOthersEnd);
  EXPECT_EQ(end.which, 0);
  EXPECT_EQ(run.engine.now(), at(10));
  background.end(0);
  EXPECT_FALSE(background.others()[0].is_under_way());
}

TEST_F(BackgroundFlowsTest, OthersShareWithTheRebuild) {
  model.plan.other_loads[0].read = core::Bandwidth::from_base(80.0);
  background.start(0);
  background.rebuild(1000);
  run.run_until(at(2));
  run.flows.lose_node();
  background.move_on();
  // 100 bytes/s are shared evenly for 2 s, then 50: 700 bytes are left, then 900 of the rebuild.
  EXPECT_EQ(run.next().kind, EventKind::kOthersEnd);
  EXPECT_EQ(run.engine.now(), at(2 + 28));
  EXPECT_EQ(run.next().kind, EventKind::kRebuilt);
  EXPECT_EQ(run.engine.now(), at(30 + 4));
}

TEST(BackgroundFlows, ThereAreTwoOfOthersForEachLoadOnStorage) {
  RunModel model = with_others();
  model.plan.other_loads.push_back(model.plan.other_loads[0]);
  model.plan.other_loads[1].start = core::Duration::from_base(7.0);
  for (const int num_nodes : {0, 1, 2}) {
    model.num_storage_nodes = num_nodes;
    test::FlowsOf run(model);
    BackgroundFlows background(model, run.flows, run.events);
    ASSERT_EQ(background.others().size(), num_nodes == 0 ? 0U : 4U);
    if (num_nodes == 0) continue;
    EXPECT_EQ(background.start_of(1), at(5));
    EXPECT_EQ(background.start_of(2), at(7));
  }
}

}  // namespace
}  // namespace railwright::simulation::replication
