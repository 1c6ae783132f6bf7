// SPDX-License-Identifier: Apache-2.0
// Rings in rounds while others come, go and look: replayed, solved or sent flow by flow, the ticks
// are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../support/textbook.hpp"
#include "railwright/core/sim/engine.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::test {
namespace {

using core::EventId;
using core::Flow;
using core::LinkId;
using core::LinkUse;
using core::StepTime;

constexpr double kBandwidth = 50e9;

/// One that disturbs the rings at a tick.
struct Disturbance {
  enum class Kind : std::uint8_t { kFlow, kCancelledFlow, kCapacity, kFailure, kQuery };
  Kind kind = Kind::kFlow;
  std::int64_t when = 0;
  LinkId link = 0;
  std::int64_t size = 0;
  std::int64_t lasts = 0;  // ticks to the cancel or to the end of the failure
};

/// Rings that share links or not, each with rounds of the same flows.
struct Scene {
  int num_links = 0;
  std::vector<std::vector<Flow>> rings;
  std::vector<std::vector<std::array<LinkUse, 2>>> routes;
  int num_rounds = 0;
  std::vector<Disturbance> disturbances;
};

Scene random_scene(std::uint64_t seed, bool only_flows) {
  core::RandomStream random(seed, 9);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random.below(n)); };
  Scene scene;
  const auto num_rings = 1 + below(3);
  const auto num_ranks = 2 + below(6);
  const bool share = below(3) == 0;
  scene.num_rounds = 2 + static_cast<int>(below(20));
  scene.num_links = static_cast<int>(num_ranks * num_rings);
  const bool skewed = below(2) == 0;
  for (std::int64_t ring = 0; ring < num_rings; ++ring) {
    auto& routes = scene.routes.emplace_back();
    const std::int64_t first = share ? ring : ring * num_ranks;
    for (std::int64_t rank = 0; rank < num_ranks; ++rank) {
      routes.push_back({LinkUse{static_cast<LinkId>(first + rank), 1.0},
                        LinkUse{static_cast<LinkId>(first + (rank + 1) % num_ranks), 1.0}});
    }
  }
  for (const auto& routes : scene.routes) {
    auto& flows = scene.rings.emplace_back();
    for (const auto& route : routes) {
      flows.push_back({.route = route, .size = 1'000'000 + (skewed ? below(1'000'000) : 0)});
    }
  }
  for (std::int64_t d = below(7); d > 0; --d) {
    const auto kind = static_cast<Disturbance::Kind>(only_flows ? 0 : below(5));
    scene.disturbances.push_back(
        {kind, below(40'000'000LL * scene.num_rounds),
         static_cast<LinkId>(below(static_cast<std::uint64_t>(scene.num_links))),
         1 + below(5'000'000), 1 + below(60'000'000)});
  }
  return scene;
}

enum class Way : std::uint8_t { kReplayed, kSolved, kFlowByFlow };

struct Log {
  std::vector<std::pair<std::int64_t, EventId>> ends;  // ticks of rounds and of disturbing flows
  std::vector<double> carried;
  std::int64_t num_replayed = 0;
};

/// Runs a scene; events are numbered by what they are about.
class Player {
 public:
  Player(const Scene& scene, Way way) : scene_(scene), way_(way), left_(scene.rings.size()) {
    for (int l = 0; l < scene.num_links; ++l) engine_.network().add_link(kBandwidth);
    engine_.set_replay(way == Way::kReplayed);
    for (const auto& ring : scene.rings) {
      sets_.push_back(engine_.prepare(ring));
      rounds_left_.push_back(scene.num_rounds);
    }
    for (std::size_t d = 0; d < scene.disturbances.size(); ++d) {
      engine_.schedule({scene.disturbances[d].when}, id(kBegin, d));
    }
    under_way_.resize(scene.disturbances.size(), -1);
  }

  Log run() {
    for (std::size_t ring = 0; ring < sets_.size(); ++ring) start_round(ring);
    EventId event = 0;
    while (engine_.next(event)) {
      const std::size_t i = event / kNumKinds;
      switch (event % kNumKinds) {
        case kRound:
          end_flow_of_round(i);
          break;
        case kBegin:
          begin(i);
          break;
        case kFinish:
          finish(i);
          break;
        default:
          log_.ends.emplace_back(engine_.now().count, event), under_way_[i] = -1;
      }
    }
    for (LinkId l = 0; l < scene_.num_links; ++l) log_.carried.push_back(engine_.carried(l));
    log_.num_replayed = engine_.num_replayed();
    return log_;
  }

 private:
  enum Kind : EventId { kRound, kBegin, kFinish, kEnd, kNumKinds };
  static EventId id(Kind kind, std::size_t i) { return static_cast<EventId>(i) * kNumKinds + kind; }

  void start_round(std::size_t ring) {
    left_[ring] = 1;
    if (way_ != Way::kFlowByFlow) {
      engine_.start(sets_[ring], id(kRound, ring));
      return;
    }
    left_[ring] = scene_.rings[ring].size();
    for (const Flow& flow : scene_.rings[ring]) engine_.start(flow, id(kRound, ring));
  }

  void end_flow_of_round(std::size_t ring) {
    if (--left_[ring] > 0) return;
    log_.ends.emplace_back(engine_.now().count, id(kRound, ring));
    if (--rounds_left_[ring] > 0) start_round(ring);
  }

  void begin(std::size_t i) {
    const Disturbance& d = scene_.disturbances[i];
    const std::array route{LinkUse{d.link, 1.0}};
    switch (d.kind) {
      case Disturbance::Kind::kCancelledFlow:
        engine_.schedule(engine_.now() + StepTime{d.lasts}, id(kFinish, i));
        [[fallthrough]];
      case Disturbance::Kind::kFlow:
        under_way_[i] = engine_.start({.route = route, .size = d.size}, id(kEnd, i));
        break;
      case Disturbance::Kind::kCapacity:
        engine_.network().set_capacity(d.link, kBandwidth / 3.0);
        break;
      case Disturbance::Kind::kFailure:
        engine_.network().set_capacity(d.link, 0.0);
        engine_.schedule(engine_.now() + StepTime{d.lasts}, id(kFinish, i));
        break;
      case Disturbance::Kind::kQuery:
        log_.carried.push_back(engine_.carried(d.link));
        if (d.size % 2 == 0) log_.carried.push_back(engine_.network().load(d.link));
        break;
    }
  }

  void finish(std::size_t i) {
    const Disturbance& d = scene_.disturbances[i];
    if (d.kind == Disturbance::Kind::kFailure) engine_.network().set_capacity(d.link, kBandwidth);
    if (under_way_[i] >= 0) engine_.cancel(under_way_[i]);
    under_way_[i] = -1;
  }

  const Scene& scene_;
  Way way_;
  core::Engine<StepTime> engine_;
  std::vector<core::FlowSetId> sets_;
  std::vector<int> rounds_left_;
  std::vector<std::size_t> left_;  // flows of each ring's round
  std::vector<core::FlowId> under_way_;
  Log log_;
};

TEST(Replay, ChangesNoTick) {
  std::int64_t num_replayed = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = random_scene(seed, false);
    const Log replayed = Player(scene, Way::kReplayed).run();
    const Log solved = Player(scene, Way::kSolved).run();
    Log flow_by_flow = Player(scene, Way::kFlowByFlow).run();
    EXPECT_EQ(replayed.ends, solved.ends);
    // Within a tick, a round ends where its last flow does, which is not what this asks about.
    auto sorted = replayed.ends;
    std::ranges::sort(sorted);
    std::ranges::sort(flow_by_flow.ends);
    EXPECT_EQ(sorted, flow_by_flow.ends);
    EXPECT_EQ(solved.num_replayed, 0);
    ASSERT_EQ(replayed.carried.size(), solved.carried.size());
    for (std::size_t i = 0; i < solved.carried.size(); ++i) {
      EXPECT_NEAR(replayed.carried[i], solved.carried[i], 1e-9 * solved.carried[i]);
    }
    num_replayed += replayed.num_replayed;
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(num_replayed, 1000);
}

/// The same as plain data for the textbook: each flow of a round waits for all of the round before.
Traffic as_traffic(const Scene& scene) {
  Traffic traffic;
  traffic.capacities.assign(static_cast<std::size_t>(scene.num_links), kBandwidth);
  for (const auto& ring : scene.rings) {
    std::vector<std::size_t> before;
    for (int round = 0; round < scene.num_rounds; ++round) {
      std::vector<std::size_t> now;
      for (const Flow& flow : ring) {
        now.push_back(traffic.transfers.size());
        traffic.transfers.push_back(
            {.route = {flow.route.begin(), flow.route.end()}, .size = flow.size, .after = before});
      }
      before = now;
    }
  }
  for (const Disturbance& d : scene.disturbances) {
    traffic.transfers.push_back({.route = {{d.link, 1.0}}, .size = d.size, .start = d.when});
  }
  return traffic;
}

TEST(Replay, EndsRoundsAtTheTicksOfTheTextbook) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = random_scene(seed, true);
    std::vector<std::int64_t> ends;
    for (const auto& [tick, event] : Player(scene, Way::kReplayed).run().ends) ends.push_back(tick);
    const Traffic traffic = as_traffic(scene);
    const std::vector<std::int64_t> expected = textbook_ends(traffic, StepTime::kPerSecond);
    std::vector<std::int64_t> rounds;
    std::size_t t = 0;
    for (const auto& ring : scene.rings) {
      for (int round = 0; round < scene.num_rounds; ++round, t += ring.size()) {
        const auto first = expected.begin() + static_cast<std::ptrdiff_t>(t);
        rounds.push_back(
            *std::max_element(first, first + static_cast<std::ptrdiff_t>(ring.size())));
      }
    }
    rounds.insert(rounds.end(), expected.begin() + static_cast<std::ptrdiff_t>(t), expected.end());
    std::ranges::sort(rounds);
    EXPECT_EQ(ends, rounds);
  }
}

}  // namespace
}  // namespace railwright::test
