// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/engine.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../../support/water_filling.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::core {
namespace {

using Delivered = std::vector<std::pair<std::int64_t, EventId>>;

template <class Time>
Delivered run(Engine<Time>& engine) {
  Delivered delivered;
  EventId event = 0;
  while (engine.next(event)) delivered.emplace_back(engine.now().count, event);
  return delivered;
}

TEST(Engine, DeliversByTimeThenSequence) {
  Engine<RunTime> engine;
  engine.schedule({5}, 1);
  engine.schedule({3}, 2);
  engine.schedule({5}, 3);
  engine.schedule({0}, 4);
  EXPECT_EQ(run(engine), (Delivered{{0, 4}, {3, 2}, {5, 1}, {5, 3}}));
  EXPECT_THROW(engine.schedule({4}, 1), SimulationError);
}

TEST(Engine, EndsAFlowAtTheFirstTickAtOrAfterItsExactEnd) {
  Engine<StepTime> engine;
  const LinkId link = engine.network().add_link(3e12);
  const std::array route{LinkUse{link, 1.0}};
  engine.start({.route = route, .size = 7}, 1);  // 7/3 ps
  EXPECT_EQ(run(engine), (Delivered{{3, 1}}));
  EXPECT_EQ(engine.carried(link), 7.0);
}

TEST(Engine, EndsZeroSizeAndUnlimitedFlowsInTheSameTick) {
  Engine<RunTime> engine;
  const LinkId dead = engine.network().add_link(0.0);
  const std::array route{LinkUse{dead, 1.0}};
  engine.start({.route = route, .size = 0}, 1);
  engine.start({.size = 1000}, 2);
  engine.schedule({0}, 3);
  EXPECT_EQ(run(engine), (Delivered{{0, 1}, {0, 3}, {0, 2}}));
}

TEST(Engine, DeliversSimultaneousEndsAsOneBatch) {
  Engine<StepTime> engine;
  std::vector<LinkId> links;
  for (int l = 0; l < 64; ++l) links.push_back(engine.network().add_link(50e9));
  for (int f = 0; f < 64; ++f) {
    const std::array route{LinkUse{links[static_cast<std::size_t>(f)], 1.0},
                           LinkUse{links[static_cast<std::size_t>(f + 1) % 64], 1.0}};
    engine.start({.route = route, .size = 500'000'000}, static_cast<EventId>(f));
  }
  const Delivered delivered = run(engine);
  ASSERT_EQ(delivered.size(), 64U);
  for (std::size_t f = 0; f < 64; ++f) {
    EXPECT_EQ(delivered[f].first, 20'000'000'000);
    EXPECT_EQ(delivered[f].second, f);
  }
  EXPECT_EQ(engine.network().num_touches(), 64);  // never solved again
}

TEST(Engine, SharesAndGivesBack) {
  Engine<RunTime> engine;
  const LinkId link = engine.network().add_link(100.0);
  const std::array route{LinkUse{link, 1.0}};
  engine.start({.route = route, .size = 100}, 1);
  engine.start({.route = route, .size = 300}, 2);
  // Both at 50/s until 2 s; then the second alone: 200 left at 100/s.
  EXPECT_EQ(run(engine), (Delivered{{2'000'000'000, 1}, {4'000'000'000, 2}}));
  EXPECT_EQ(engine.carried(link), 400.0);
}

TEST(Engine, FollowsCapacityChangesAndStallsInBetween) {
  Engine<RunTime> engine;
  const LinkId link = engine.network().add_link(10.0);
  const std::array route{LinkUse{link, 1.0}};
  engine.start({.route = route, .size = 100}, 1);
  engine.schedule({4'000'000'000}, 2);
  engine.schedule({7'000'000'000}, 3);
  EventId event = 0;
  ASSERT_TRUE(engine.next(event));
  EXPECT_EQ(event, 2U);
  EXPECT_DOUBLE_EQ(engine.carried(link), 40.0);
  engine.network().set_capacity(link, 0.0);
  ASSERT_TRUE(engine.next(event));
  EXPECT_EQ(event, 3U);
  EXPECT_DOUBLE_EQ(engine.carried(link), 40.0);
  engine.network().set_capacity(link, 20.0);
  EXPECT_EQ(run(engine), (Delivered{{10'000'000'000, 1}}));
}

TEST(Engine, CancelReturnsWhatIsLeft) {
  Engine<RunTime> engine;
  const LinkId link = engine.network().add_link(10.0);
  const std::array twice{LinkUse{link, 2.0}};
  const FlowId flow = engine.start({.route = twice, .size = 100}, 1);
  const FlowId untouched =
      engine.start({.size = std::numeric_limits<std::int64_t>::max(), .ceiling = 1.0}, 9);
  engine.schedule({4'100'000'000}, 2);
  EXPECT_EQ(engine.cancel(untouched), std::numeric_limits<std::int64_t>::max());
  EventId event = 0;
  ASSERT_TRUE(engine.next(event));
  EXPECT_EQ(engine.cancel(flow), 80);  // 5/s for 4.1 s: 20.5 units, of which 20 are whole
  EXPECT_EQ(engine.carried(link), 40.0);
  EXPECT_FALSE(engine.next(event));
  EXPECT_THROW(engine.cancel(flow), SimulationError);
  EXPECT_THROW(engine.cancel(12345), SimulationError);
}

TEST(Engine, NamesAStall) {
  Engine<StepTime> engine;
  const LinkId alive = engine.network().add_link(10.0);
  const LinkId dead = engine.network().add_link(0.0);
  const std::array route{LinkUse{alive, 1.0}, LinkUse{dead, 1.0}};
  engine.start({.route = route, .size = 5}, 1);
  engine.start({.route = route, .size = 5}, 2);
  engine.schedule({10}, 3);
  EventId event = 0;
  ASSERT_TRUE(engine.next(event));
  try {
    engine.next(event);
    FAIL() << "no stall reported";
  } catch (const SimulationError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("never end: 2;"), std::string::npos) << text;
    EXPECT_NE(text.find(" 1 (capacity 0)"), std::string::npos) << text;
  }
}

/// Flows that arrive over time on a small network.
struct Arrival {
  std::int64_t when = 0;
  std::int64_t size = 0;
  testing::ReferenceFlow flow;
};

std::vector<Arrival> random_arrivals(RandomStream& random, std::size_t num_links) {
  std::vector<Arrival> arrivals;
  std::int64_t when = 0;
  for (int i = 0; i < 60; ++i) {
    when += static_cast<std::int64_t>(random.below(3)) * 700'000;
    Arrival arrival;
    arrival.when = when;
    arrival.size = static_cast<std::int64_t>(random.below(5) * 1'000'003);
    for (std::size_t l = 0; l < num_links; ++l) {
      if (random.below(3) == 0) {
        arrival.flow.route.push_back({static_cast<LinkId>(l), 1.0 + 0.5 * (l % 2 == 0 ? 1 : 0)});
      }
    }
    if (arrival.flow.route.empty()) arrival.flow.route.push_back({0, 1.0});
    if (random.below(4) == 0) arrival.flow.ceiling = 3e8;
    if (random.below(4) == 0) arrival.flow.multiplicity = 3;
    arrivals.push_back(arrival);
  }
  return arrivals;
}

/// The same by solving everything at every event, in long double and with exact times.
std::vector<long double> naive_ends(const std::vector<double>& capacities,
                                    const std::vector<Arrival>& arrivals) {
  std::vector<long double> left;
  std::vector<long double> ends(arrivals.size(), -1.0L);
  std::vector<std::size_t> active;
  std::size_t next = 0;
  long double now = 0.0L;
  while (next < arrivals.size() || !active.empty()) {
    std::vector<testing::ReferenceFlow> flows;
    for (const std::size_t a : active) flows.push_back(arrivals[a].flow);
    const std::vector<long double> rates = testing::water_filling(capacities, flows);
    const long double arrival = next < arrivals.size()
                                    ? static_cast<long double>(arrivals[next].when)
                                    : std::numeric_limits<long double>::infinity();
    // Ends are at whole ticks, as the engine's are.
    long double first_end = std::numeric_limits<long double>::infinity();
    for (std::size_t i = 0; i < active.size(); ++i) {
      const long double end = now + std::ceil(left[active[i]] / rates[i] * 1e9L - 1e-6L);
      first_end = std::min(first_end, end);
    }
    const long double then = std::min(arrival, first_end);
    for (std::size_t i = 0; i < active.size(); ++i) {
      left[active[i]] -= rates[i] * (then - now) / 1e9L;
    }
    now = then;
    std::erase_if(active, [&](std::size_t a) {
      if (left[a] > 1e-6L) return false;
      ends[a] = now;
      return true;
    });
    left.resize(arrivals.size());
    while (next < arrivals.size() && static_cast<long double>(arrivals[next].when) == now) {
      left[next] = static_cast<long double>(arrivals[next].size);
      if (arrivals[next].size == 0) {
        ends[next] = now;
      } else {
        active.push_back(next);
      }
      ++next;
    }
  }
  return ends;
}

TEST(Engine, AgreesWithSolvingEverythingAtEveryEvent) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, 77);
    std::vector<double> capacities;
    for (std::size_t l = 0; l < 4; ++l) {
      capacities.push_back(1e9 * static_cast<double>(1 + random.below(3)));
    }
    const std::vector<Arrival> arrivals = random_arrivals(random, capacities.size());
    const std::vector<long double> expected = naive_ends(capacities, arrivals);

    Engine<RunTime> engine;
    for (const double capacity : capacities) engine.network().add_link(capacity);
    constexpr EventId kEnd = 1000;
    for (std::size_t a = 0; a < arrivals.size(); ++a) {
      engine.schedule({arrivals[a].when}, static_cast<EventId>(a));
    }
    EventId event = 0;
    std::size_t num_ends = 0;
    while (engine.next(event)) {
      if (event >= kEnd) {
        // A tick is 1 ns; rounding may move an end by one, and what follows it by a few.
        EXPECT_NEAR(static_cast<double>(engine.now().count),
                    static_cast<double>(expected[event - kEnd]), 4.0);
        ++num_ends;
        continue;
      }
      const Arrival& arrival = arrivals[event];
      engine.start({.route = arrival.flow.route,
                    .size = arrival.size,
                    .ceiling = arrival.flow.ceiling,
                    .multiplicity = arrival.flow.multiplicity},
                   kEnd + event);
    }
    EXPECT_EQ(num_ends, arrivals.size());
    for (std::size_t l = 0; l < capacities.size(); ++l) {
      double moved = 0.0;
      for (const Arrival& arrival : arrivals) {
        for (const LinkUse& use : arrival.flow.route) {
          if (use.link == static_cast<LinkId>(l)) {
            moved +=
                use.coefficient * arrival.flow.multiplicity * static_cast<double>(arrival.size);
          }
        }
      }
      EXPECT_EQ(engine.carried(static_cast<LinkId>(l)), moved);
    }
    if (::testing::Test::HasFailure()) break;
  }
}

TEST(Engine, CarriedGrowsWithTimeAndIsConservedByCancelling) {
  RandomStream random(5);
  Engine<RunTime> engine;
  const LinkId link = engine.network().add_link(1e9);
  const std::array route{LinkUse{link, 1.0}};
  std::vector<FlowId> flows;
  std::int64_t started = 0;
  for (int f = 0; f < 50; ++f) {
    const auto size = static_cast<std::int64_t>(1'000'000 + random.below(1'000'000));
    started += size;
    flows.push_back(engine.start({.route = route, .size = size}, static_cast<EventId>(f)));
  }
  engine.schedule({10'000'000}, 999);
  EventId event = 0;
  ASSERT_TRUE(engine.next(event));
  ASSERT_EQ(event, 999U);
  EXPECT_NEAR(engine.carried(link), 1e7, 1e-3);
  std::int64_t returned = 0;
  for (const FlowId flow : flows) returned += engine.cancel(flow);
  EXPECT_EQ(engine.carried(link), static_cast<double>(started - returned));
}

TEST(Engine, IsDeterministic) {
  const auto once = [] {
    RandomStream random(11);
    const std::vector<Arrival> arrivals = random_arrivals(random, 4);
    Engine<StepTime> engine;
    for (int l = 0; l < 4; ++l) engine.network().add_link(1e9);
    for (const Arrival& arrival : arrivals) {
      engine.start({.route = arrival.flow.route, .size = arrival.size}, 1);
    }
    return run(engine);
  };
  EXPECT_EQ(once(), once());
}

}  // namespace
}  // namespace railwright::core
