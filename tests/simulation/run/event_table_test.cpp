// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/event_table.hpp"

#include <gtest/gtest.h>

namespace railwright::simulation::replication {
namespace {

TEST(EventTable, ReturnsWhatWasAdded) {
  EventTable events;
  const core::EventId start = events.add(EventKind::kStart, 3);
  const core::EventId failure = events.add(EventKind::kFailure, 7, 2);
  ASSERT_NE(start, failure);
  const Event second = events.take(failure);
  EXPECT_EQ(second.kind, EventKind::kFailure);
  EXPECT_EQ(second.owner, 7);
  EXPECT_EQ(second.which, 2);
  EXPECT_TRUE(second.is_live);
  const Event first = events.take(start);
  EXPECT_EQ(first.kind, EventKind::kStart);
  EXPECT_EQ(first.owner, 3);
}

TEST(EventTable, HasAsManyPlacesAsEventsArePending) {
  core::Engine<core::RunTime> engine;
  EventTable events;
  for (int i = 0; i < 3; ++i) {
    engine.schedule(core::RunTime{i}, events.add(EventKind::kSlowPart, 0));
  }
  int num_delivered = 0;
  core::EventId id = 0;
  while (engine.next(id)) {
    EXPECT_EQ(events.take(id).kind, EventKind::kSlowPart);
    if (++num_delivered >= 1000) continue;
    engine.schedule(engine.now() + core::RunTime{5}, events.add(EventKind::kSlowPart, 0));
  }
  EXPECT_EQ(num_delivered, 1002);
  EXPECT_EQ(events.num_places(), 3U);
}

TEST(EventTable, PlaceOfAnEventThatNeverComesIsFree) {
  EventTable events;
  events.remove(events.add(EventKind::kPhaseEnd, 0));
  events.add(EventKind::kCopyEnd, 0);
  EXPECT_EQ(events.num_places(), 1U);
}

TEST(EventTable, AbandonedEventKeepsItsPlaceUntilItComes) {
  EventTable events;
  const core::EventId timer = events.add(EventKind::kPhaseEnd, 0);
  events.abandon(timer);
  const core::EventId other = events.add(EventKind::kPhaseEnd, 1);
  EXPECT_NE(other, timer);
  EXPECT_FALSE(events.take(timer).is_live);
  EXPECT_EQ(events.add(EventKind::kPhaseEnd, 2), timer);
  EXPECT_TRUE(events.take(timer).is_live);
}

}  // namespace
}  // namespace railwright::simulation::replication
