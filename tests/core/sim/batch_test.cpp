// SPDX-License-Identifier: Apache-2.0
// Flows that end in one tick.
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "railwright/core/sim/engine.hpp"

namespace railwright::core {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // ticks of RunTime

TEST(Batch, OfAllFlowsLeavesLinksAsGoodAsNew) {
  Engine<RunTime> engine;
  const LinkId a = engine.network().add_link(30.0);
  const LinkId b = engine.network().add_link(100.0);
  const std::array uneven{LinkUse{a, 1.0}, LinkUse{b, 2.0}};
  const std::array there_and_back{LinkUse{a, 1.0}, LinkUse{a, 1.0}};
  engine.start({.route = uneven, .size = 100}, 1);
  engine.start({.route = there_and_back, .size = 100}, 2);
  EventId event = 0;
  ASSERT_TRUE(engine.next(event));
  // 10/s each: 10 + 2 * 10 fill the first link.
  EXPECT_EQ(engine.now().count, 10 * kSecond);
  EXPECT_EQ(engine.carried(a), 300.0);
  EXPECT_EQ(engine.carried(b), 200.0);
  ASSERT_TRUE(engine.next(event));
  EXPECT_EQ(engine.now().count, 10 * kSecond);

  engine.start({.route = there_and_back, .size = 150}, 3);
  engine.start({.route = std::span(uneven).last(1), .size = 500}, 4);
  ASSERT_TRUE(engine.next(event));
  EXPECT_EQ(event, 3U);
  EXPECT_EQ(engine.now().count, 20 * kSecond);
  EXPECT_EQ(engine.carried(a), 600.0);
  EXPECT_EQ(engine.carried(b), 1200.0);
}

TEST(Batch, DoesNotDeliverWhatIsCancelledInItsLastTick) {
  Engine<RunTime> engine;
  const LinkId link = engine.network().add_link(30.0);
  const std::array route{LinkUse{link, 1.0}};
  engine.start({.route = route, .size = 100}, 1);
  const FlowId second = engine.start({.route = route, .size = 100}, 2);
  engine.start({.route = route, .size = 100}, 3);
  EventId event = 0;
  ASSERT_TRUE(engine.next(event));
  EXPECT_EQ(event, 1U);
  EXPECT_EQ(engine.cancel(second), 0);
  // Flows without anything to move, which take the places of the two that are gone.
  engine.start({.route = route, .size = 0}, 4);
  engine.start({.route = route, .size = 0}, 5);
  std::vector<EventId> delivered;
  while (engine.next(event)) delivered.push_back(event);
  EXPECT_EQ(delivered, (std::vector<EventId>{3, 4, 5}));
  EXPECT_EQ(engine.now().count, 10 * kSecond);
  EXPECT_EQ(engine.carried(link), 300.0);
}

}  // namespace
}  // namespace railwright::core
