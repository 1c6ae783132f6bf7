// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/sim/flow_network.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "../../support/water_filling.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::core {
namespace {

using testing::ReferenceFlow;
using testing::water_filling;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Random networks and flows that come and go.
class RandomCase {
 public:
  explicit RandomCase(std::uint64_t seed) : random_(seed) {
    const std::size_t num_links = 1 + random_.below(12);
    for (std::size_t l = 0; l < num_links; ++l) {
      capacities_.push_back(random_capacity());
      network_.add_link(capacities_.back());
    }
  }

  void change() {
    const std::uint64_t what = random_.below(10);
    if (what < 6 || flows_.empty()) {
      add();
    } else if (what < 9) {
      const std::size_t i = random_.below(flows_.size());
      network_.remove(ids_[i]);
      flows_.erase(flows_.begin() + static_cast<std::ptrdiff_t>(i));
      ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      const std::size_t l = random_.below(capacities_.size());
      capacities_[l] = random_capacity();
      network_.set_capacity(static_cast<LinkId>(l), capacities_[l]);
    }
  }

  void check() {
    network_.solve();
    const std::vector<long double> expected = water_filling(capacities_, flows_);
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      const double rate = network_.rate(ids_[f]);
      if (std::isinf(expected[f])) {
        EXPECT_TRUE(std::isinf(rate));
      } else {
        EXPECT_NEAR(rate, static_cast<double>(expected[f]),
                    1e-9 * static_cast<double>(expected[f]));
      }
      EXPECT_GE(rate, 0.0);
    }
    for (std::size_t l = 0; l < capacities_.size(); ++l) {
      const double load = network_.load(static_cast<LinkId>(l));
      EXPECT_LE(load, capacities_[l] * (1.0 + 1e-12));
    }
  }

 private:
  double random_capacity() {
    const std::uint64_t kind = random_.below(12);
    if (kind == 0) return 0.0;
    if (kind == 1) return kInfinity;
    if (kind < 6) return 50e9;  // many equal links, so that many saturate together
    return std::exp(random_.uniform() * 20.0);
  }

  void add() {
    ReferenceFlow flow;
    for (std::size_t l = 0; l < capacities_.size(); ++l) {
      if (random_.below(capacities_.size()) >= 2) continue;
      constexpr std::array<double, 6> kCoefficients{1.0, 1.0, 2.0, 0.125, 1e-6, 0.0};
      flow.route.push_back({static_cast<LinkId>(l), kCoefficients[random_.below(6)]});
    }
    if (random_.below(3) == 0) flow.ceiling = std::exp(random_.uniform() * 22.0);
    if (random_.below(40) == 0) flow.ceiling = 0.0;
    if (random_.below(4) == 0) flow.multiplicity = 1 + static_cast<int>(random_.below(64));
    if (random_.below(4) == 0) flow.weight = std::exp(random_.uniform() * 10.0 - 5.0);
    ids_.push_back(network_.add({.route = flow.route,
                                 .size = 1,
                                 .ceiling = flow.ceiling,
                                 .multiplicity = flow.multiplicity,
                                 .weight = flow.weight}));
    flows_.push_back(flow);
  }

  RandomStream random_;
  FlowNetwork network_;
  std::vector<double> capacities_;
  std::vector<ReferenceFlow> flows_;
  std::vector<FlowId> ids_;
};

TEST(FlowNetwork, AgreesWithTextbookWaterFilling) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase random_case(seed);
    for (int round = 0; round < 12; ++round) {
      for (int i = 0; i < 4; ++i) random_case.change();
      random_case.check();
    }
    if (::testing::Test::HasFailure()) break;
  }
}

TEST(FlowNetwork, SharesALinkByCoefficientAndMultiplicity) {
  FlowNetwork network;
  const LinkId link = network.add_link(100.0);
  const std::array once{LinkUse{link, 1.0}};
  const std::array twice{LinkUse{link, 2.0}};
  const FlowId a = network.add({.route = once});
  const FlowId b = network.add({.route = twice});
  const FlowId c = network.add({.route = once, .multiplicity = 2});
  network.solve();
  // All rise together: 1 + 2 + 2 of the link per unit of rate.
  EXPECT_DOUBLE_EQ(network.rate(a), 20.0);
  EXPECT_DOUBLE_EQ(network.rate(b), 20.0);
  EXPECT_DOUBLE_EQ(network.rate(c), 20.0);
  EXPECT_DOUBLE_EQ(network.load(link), 100.0);
}

TEST(FlowNetwork, LeavesWhatACeilingSpares) {
  FlowNetwork network;
  const LinkId link = network.add_link(100.0);
  const std::array route{LinkUse{link, 1.0}};
  const FlowId slow = network.add({.route = route, .ceiling = 10.0});
  const FlowId fast = network.add({.route = route});
  network.solve();
  EXPECT_DOUBLE_EQ(network.rate(slow), 10.0);
  EXPECT_DOUBLE_EQ(network.rate(fast), 90.0);
}

TEST(FlowNetwork, WeightMakesFlowsInOtherUnitsComparable) {
  FlowNetwork network;
  const LinkId link = network.add_link(100e9);
  const std::array bytes{LinkUse{link, 1.0}};
  const std::array steps{LinkUse{link, 50e9}};  // a step moves 50 GB over this link
  const FlowId transfer = network.add({.route = bytes});
  const FlowId job = network.add({.route = steps, .weight = 1.0 / 50e9});
  network.solve();
  EXPECT_DOUBLE_EQ(network.rate(transfer), 50e9);
  EXPECT_DOUBLE_EQ(network.rate(job), 1.0);
}

TEST(FlowNetwork, UnlimitedAndStalledFlows) {
  FlowNetwork network;
  const LinkId wide = network.add_link(kInfinity);
  const LinkId dead = network.add_link(0.0);
  const std::array over_wide{LinkUse{wide, 1.0}};
  const std::array over_both{LinkUse{wide, 1.0}, LinkUse{dead, 1.0}};
  const FlowId free = network.add({});
  const FlowId capped = network.add({.ceiling = 7.0});
  const FlowId unlimited = network.add({.route = over_wide});
  const FlowId stalled = network.add({.route = over_both});
  network.solve();
  EXPECT_EQ(network.rate(free), kInfinity);
  EXPECT_EQ(network.rate(capped), 7.0);
  EXPECT_EQ(network.rate(unlimited), kInfinity);
  EXPECT_EQ(network.rate(stalled), 0.0);
  network.set_capacity(dead, 3.0);
  network.set_capacity(wide, 5.0);
  network.solve();
  EXPECT_DOUBLE_EQ(network.rate(unlimited), 2.5);
  EXPECT_DOUBLE_EQ(network.rate(stalled), 2.5);
}

TEST(FlowNetwork, ZeroCoefficientsTakeNothing) {
  FlowNetwork network;
  const LinkId dead = network.add_link(0.0);
  const std::array route{LinkUse{dead, 0.0}};
  const FlowId flow = network.add({.route = route, .ceiling = 4.0});
  network.solve();
  EXPECT_EQ(network.rate(flow), 4.0);
}

TEST(FlowNetwork, SolvesOnlyWhatIsConnectedToAChange) {
  FlowNetwork network;
  for (int l = 0; l < 100; ++l) network.add_link(10.0);
  for (int l = 0; l < 100; ++l) {
    const std::array route{LinkUse{l, 1.0}};
    network.add({.route = route});
  }
  network.solve();
  EXPECT_EQ(network.changed().size(), 100U);
  const std::int64_t before = network.num_touches();
  const std::array route{LinkUse{17, 1.0}};
  network.add({.route = route});
  network.solve();
  EXPECT_EQ(network.num_touches() - before, 2);
  EXPECT_EQ(network.changed().size(), 2U);
  network.solve();
  EXPECT_TRUE(network.changed().empty());
}

TEST(FlowNetwork, LeavesALinkAloneThatHoldsWhatItsFlowsCanAskFor) {
  FlowNetwork network;
  const LinkId cable = network.add_link(10.0);
  std::vector<FlowId> flows;
  const auto add = [&] {
    const std::array route{LinkUse{network.add_link(10.0), 1.0}, LinkUse{cable, 0.5}};
    flows.push_back(network.add({.route = route, .size = 1}));
    network.solve();
  };
  add();
  add();
  EXPECT_EQ(network.num_touches(), 2);
  EXPECT_DOUBLE_EQ(network.rate(flows[0]), 10.0);
  EXPECT_DOUBLE_EQ(network.load(cable), 10.0);
  network.remove(flows[1], 4.0);
  EXPECT_FALSE(network.is_stale());
  EXPECT_DOUBLE_EQ(network.carried_by_removed(cable), 2.0);
  // The third at a time is too many: all are slower, until one has gone.
  add();
  add();
  EXPECT_DOUBLE_EQ(network.rate(flows[0]), 20.0 / 3.0);
  EXPECT_DOUBLE_EQ(network.rate(flows[3]), 20.0 / 3.0);
  network.remove(flows[2]);
  network.solve();
  EXPECT_DOUBLE_EQ(network.rate(flows[0]), 10.0);
  EXPECT_DOUBLE_EQ(network.rate(flows[3]), 10.0);
  // So is a cable that becomes slower.
  network.set_capacity(cable, 8.0);
  network.solve();
  EXPECT_DOUBLE_EQ(network.rate(flows[0]), 8.0);
  EXPECT_DOUBLE_EQ(network.rate(flows[3]), 8.0);
}

TEST(FlowNetwork, CapacityChangesUnderAFlowThatUsesTheLinkTwice) {
  FlowNetwork network;
  const LinkId twice = network.add_link(20.0);
  const LinkId shared = network.add_link(14.0);
  const std::array over_all{LinkUse{twice, 1.0}, LinkUse{twice, 1.0}, LinkUse{shared, 1.0}};
  const std::array over_shared{LinkUse{shared, 1.0}};
  const FlowId a = network.add({.route = over_all});
  const FlowId b = network.add({.route = over_shared, .ceiling = 13.0});
  network.solve();
  EXPECT_DOUBLE_EQ(network.rate(a), 7.0);
  network.set_capacity(twice, 10.0);
  network.solve();
  EXPECT_DOUBLE_EQ(network.rate(a), 5.0);
  EXPECT_DOUBLE_EQ(network.rate(b), 9.0);
}

TEST(FlowNetwork, SmallWeightsOnInfiniteLinks) {
  FlowNetwork network;
  const LinkId wide = network.add_link(kInfinity);
  const std::array route{LinkUse{wide, 1.0}};
  const FlowId a = network.add({.route = route, .weight = 1e-12});
  const FlowId b = network.add({.route = route, .weight = 1e-12});
  network.solve();
  EXPECT_EQ(network.rate(a), kInfinity);
  EXPECT_EQ(network.rate(b), kInfinity);
  network.set_capacity(wide, 8.0);
  network.solve();
  EXPECT_DOUBLE_EQ(network.rate(a), 4.0);
  EXPECT_DOUBLE_EQ(network.rate(b), 4.0);
}

TEST(FlowNetwork, InfiniteLinksConnectNothing) {
  FlowNetwork network;
  const LinkId hub = network.add_link(kInfinity);
  for (int l = 0; l < 10; ++l) {
    const std::array route{LinkUse{network.add_link(10.0), 1.0}, LinkUse{hub, 1.0}};
    network.add({.route = route});
  }
  network.solve();
  const std::int64_t before = network.num_touches();
  network.set_capacity(3, 5.0);
  network.solve();
  EXPECT_EQ(network.num_touches() - before, 1);
  EXPECT_DOUBLE_EQ(network.load(hub), 95.0);
}

TEST(FlowNetwork, KeepsPrecisionWhenUsesDifferByFactorsOfATrillion) {
  FlowNetwork network;
  const LinkId link = network.add_link(1e11);
  const LinkId other = network.add_link(1.0);
  const std::array heavy{LinkUse{link, 1e12}, LinkUse{other, 1000.0}};
  const std::array light{LinkUse{link, 1.0}};
  network.add({.route = heavy});
  const FlowId byte_flow = network.add({.route = light});
  network.solve();
  EXPECT_NEAR(network.rate(byte_flow), 1e11 - 1e9, 1.0);
  EXPECT_LE(network.load(link), 1e11 * (1.0 + 1e-12));
}

TEST(FlowNetwork, RefusesNonsense) {
  FlowNetwork network;
  const LinkId link = network.add_link(1.0);
  const std::array unknown{LinkUse{link + 1, 1.0}};
  const std::array negative{LinkUse{link, -1.0}};
  EXPECT_THROW(network.add_link(-1.0), SimulationError);
  EXPECT_THROW(network.add_link(std::nan("")), SimulationError);
  EXPECT_THROW(network.add({.route = unknown}), SimulationError);
  EXPECT_THROW(network.add({.route = negative}), SimulationError);
  EXPECT_THROW(network.add({.multiplicity = 0}), SimulationError);
  EXPECT_THROW(network.add({.weight = 0.0}), SimulationError);
  EXPECT_THROW(network.add({.ceiling = -1.0}), SimulationError);
  const FlowId flow = network.add({});
  network.remove(flow);
  EXPECT_THROW(network.remove(flow), SimulationError);
}

}  // namespace
}  // namespace railwright::core
