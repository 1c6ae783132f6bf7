// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/run_flows.hpp"

#include <gtest/gtest.h>

#include "railwright/core/error.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "two_storage_nodes.hpp"

namespace railwright::simulation::replication {
namespace {

using test::at;

struct RunFlowsTest : testing::Test {
  void start(Transfer JobTransfers::* transfer) {
    run.flows.start(flow, model.jobs[0], transfer, run.events.add(EventKind::kCopyEnd, 0), true);
  }

  RunModel model = test::two_storage_nodes();
  test::FlowsOf run{model};
  ActiveFlow flow;
};

TEST_F(RunFlowsTest, RestOfATransferTakesTheLinksThatAreLeft) {
  start(&JobTransfers::checkpoint);
  run.run_until(at(4));
  run.flows.lose_node();
  run.flows.move_on(flow, model.jobs[0]);
  EXPECT_EQ(flow.size, 600);
  run.run_until(at(8));
  run.flows.regain_node();
  run.flows.move_on(flow, model.jobs[0]);
  EXPECT_EQ(flow.size, 400);
  // 400 bytes in 4 s, 200 bytes in 4 s, 400 bytes in 4 s.
  EXPECT_EQ(run.next().kind, EventKind::kCopyEnd);
  EXPECT_EQ(run.engine.now(), at(12));
}

TEST_F(RunFlowsTest, StandsStillWhileStorageIsOffline) {
  start(&JobTransfers::checkpoint);
  run.run_until(at(4));
  run.flows.lose_node();
  EXPECT_FALSE(run.flows.is_offline());
  EXPECT_EQ(run.flows.state(), 1U);
  run.flows.lose_node();
  EXPECT_TRUE(run.flows.is_offline());
  EXPECT_EQ(run.flows.state(), 0U);
  run.flows.move_on(flow, model.jobs[0]);
  run.run_until(at(100));
  EXPECT_EQ(run.engine.remaining(flow.id), 600.0);
  EXPECT_THROW(run.next(), core::SimulationError);
}

TEST_F(RunFlowsTest, LocalTierNeedsNoStorage) {
  run.flows.lose_node();
  run.flows.lose_node();
  start(&JobTransfers::local_checkpoint);
  EXPECT_EQ(run.next().kind, EventKind::kCopyEnd);
  EXPECT_EQ(run.engine.now(), at(100));
}

TEST_F(RunFlowsTest, FlowWithoutBytesNeedsNoStorage) {
  run.flows.lose_node();
  run.flows.lose_node();
  flow = {.event = run.events.add(EventKind::kPhaseEnd, 0), .bytes_per_unit = 0.0};
  run.flows.start(flow, 10, loads_of(model.rebuilds[0]), 2.0);
  EXPECT_EQ(run.next().kind, EventKind::kPhaseEnd);
  EXPECT_EQ(run.engine.now(), at(5));
}

TEST_F(RunFlowsTest, PausedFlowKeepsItsEventAndAStoppedOneFreesIt) {
  start(&JobTransfers::checkpoint);
  const core::EventId event = flow.event;
  run.run_until(at(3));
  const std::size_t num_places = run.events.num_places();
  EXPECT_EQ(run.flows.pause(flow), 700);
  EXPECT_FALSE(flow.is_under_way());
  EXPECT_NE(run.events.add(EventKind::kStart, 0), event);
  run.flows.start(flow, 700, loads_of(model.rebuilds[0]), 100.0);
  EXPECT_EQ(run.flows.stop(flow), 700);
  EXPECT_FALSE(flow.is_under_way());
  EXPECT_EQ(run.events.add(EventKind::kStart, 0), event);
  EXPECT_EQ(run.events.num_places(), num_places);
}

TEST_F(RunFlowsTest, WhatIsNotUnderWayDoesNotMoveOn) {
  run.flows.move_on(flow, model.jobs[0]);
  EXPECT_FALSE(flow.is_under_way());
}

}  // namespace
}  // namespace railwright::simulation::replication
