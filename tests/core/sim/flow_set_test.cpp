// SPDX-License-Identifier: Apache-2.0
// Rounds of prepared flows: replayed or solved, the ticks are the same.
#include "railwright/core/sim/flow_set.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/sim/engine.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::core {
namespace {

using Delivered = std::vector<std::pair<std::int64_t, EventId>>;

/// A ring over `num_links` links, one flow each.
std::vector<Flow> ring(const std::vector<std::array<LinkUse, 2>>& routes, std::int64_t size) {
  std::vector<Flow> flows;
  for (const auto& route : routes) flows.push_back({.route = route, .size = size});
  return flows;
}

std::vector<std::array<LinkUse, 2>> ring_routes(int num_links) {
  std::vector<std::array<LinkUse, 2>> routes;
  for (LinkId l = 0; l < num_links; ++l) {
    routes.push_back({LinkUse{l, 1.0}, LinkUse{(l + 1) % num_links, 1.0}});
  }
  return routes;
}

TEST(FlowSet, ARingIsSolvedOnce) {
  constexpr int kRanks = 16;
  Engine<StepTime> engine;
  for (int l = 0; l < kRanks; ++l) engine.network().add_link(50e9);
  const auto routes = ring_routes(kRanks);
  const FlowSetId step = engine.prepare(ring(routes, 500'000'000));
  constexpr int kSteps = 2 * (kRanks - 1);
  for (int s = 0; s < kSteps; ++s) {
    engine.start(step, 7);
    EventId event = 0;
    ASSERT_TRUE(engine.next(event));
    EXPECT_EQ(event, 7U);
    EXPECT_EQ(engine.now().count, (s + 1) * 20'000'000'000);
  }
  EXPECT_EQ(engine.num_replayed(), kSteps - 1);
  EXPECT_EQ(engine.network().num_touches(), kRanks);
  EXPECT_EQ(engine.carried(3), kSteps * 2 * 500'000'000.0);
  EventId event = 0;
  EXPECT_FALSE(engine.next(event));
}

TEST(FlowSet, AStrangerInTheMiddleTurnsARoundIntoFlows) {
  const auto ends = [](bool replays) {
    Engine<StepTime> engine;
    for (int l = 0; l < 8; ++l) engine.network().add_link(50e9);
    engine.set_replay(replays);
    const auto routes = ring_routes(8);
    const FlowSetId step = engine.prepare(ring(routes, 500'000'000));
    Delivered delivered;
    EventId event = 0;
    for (int s = 0; s < 3; ++s) {
      engine.start(step, 7);
      if (s == 2) engine.schedule(engine.now() + StepTime{5'000'000'001}, 8);
      while (engine.next(event)) {
        delivered.emplace_back(engine.now().count, event);
        if (event != 8) continue;
        EXPECT_DOUBLE_EQ(engine.carried(3), 2 * 2 * 5e8 + 50e9 * 5.000000001e-3);
        const std::array route{LinkUse{3, 1.0}};
        engine.start({.route = route, .size = 100'000'000}, 9);
      }
    }
    EXPECT_EQ(engine.num_replayed(), replays ? 1 : 0);
    return delivered;
  };
  EXPECT_EQ(ends(true), ends(false));
}

/// Sets, single flows, cancels and capacity changes at random, on a few links.
Delivered random_rounds(std::uint64_t seed, bool replays, std::int64_t& num_replayed) {
  RandomStream random(seed, 3);
  Engine<RunTime> engine;
  engine.set_replay(replays);
  const std::size_t num_links = 3 + random.below(8);
  for (std::size_t l = 0; l < num_links; ++l) {
    engine.network().add_link(1e9 * static_cast<double>(1 + random.below(3)));
  }
  const auto random_route = [&] {
    std::vector<LinkUse> route{{static_cast<LinkId>(random.below(num_links)), 1.0}};
    if (random.below(2) == 0) {
      route.push_back({static_cast<LinkId>(random.below(num_links)),
                       1.0 + 0.5 * static_cast<double>(random.below(3))});
    }
    return route;
  };
  std::vector<FlowSetId> sets;
  for (int s = 0; s < 3; ++s) {
    std::vector<std::vector<LinkUse>> routes;
    std::vector<Flow> flows;
    for (std::size_t f = 0; f < 1 + random.below(5); ++f) routes.push_back(random_route());
    for (const auto& route : routes) {
      flows.push_back({.route = route,
                       .size = static_cast<std::int64_t>(random.below(4) * 1'000'003),
                       .ceiling = random.below(4) == 0 ? 3e8 : 1e300,
                       .multiplicity = static_cast<std::int32_t>(1 + random.below(2))});
    }
    sets.push_back(engine.prepare(flows));
  }
  constexpr EventId kAct = 1000;
  std::int64_t when = 0;
  for (int i = 0; i < 60; ++i) {
    when += static_cast<std::int64_t>(random.below(4) * random.below(3) * 2'000'000);
    engine.schedule({when}, kAct);
  }
  Delivered delivered;
  std::vector<FlowId> cancellable;
  EventId event = 0;
  while (engine.next(event)) {
    delivered.emplace_back(engine.now().count, event);
    if (event == kAct) {
      const std::uint64_t what = random.below(20);
      if (what < 14) {
        engine.start(sets[random.below(sets.size())], static_cast<EventId>(what));
      } else if (what < 17) {
        engine.start({.route = random_route(), .size = 500'000}, 100);
      } else if (what == 17) {
        cancellable.push_back(engine.start({.route = random_route(), .size = 1LL << 50}, 101));
      } else if (what == 18) {
        engine.network().set_capacity(static_cast<LinkId>(random.below(num_links)),
                                      1e9 * static_cast<double>(1 + random.below(3)));
      }
      if (!cancellable.empty() && random.below(3) == 0) {
        delivered.emplace_back(engine.cancel(cancellable.back()), 102);
        cancellable.pop_back();
      }
      delivered.emplace_back(std::llround(engine.carried(0)), 103);
    }
    if (delivered.size() > 1000) break;
  }
  num_replayed += engine.num_replayed();
  return delivered;
}

TEST(FlowSet, ReplayChangesNoTick) {
  std::int64_t num_replayed = 0;
  std::int64_t num_solved = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_EQ(random_rounds(seed, true, num_replayed), random_rounds(seed, false, num_solved));
  }
  EXPECT_GT(num_replayed, 1000);
  EXPECT_EQ(num_solved, 0);
}

TEST(FlowSet, RefusesNonsense) {
  Engine<StepTime> engine;
  const std::array route{LinkUse{0, 1.0}};
  const std::array flows{Flow{.route = route, .size = 1}};
  EXPECT_THROW(engine.prepare(flows), SimulationError);
  EXPECT_THROW(engine.prepare({}), SimulationError);
}

}  // namespace
}  // namespace railwright::core
