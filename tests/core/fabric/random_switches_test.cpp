// SPDX-License-Identifier: Apache-2.0
// Routes over switches joined at random, against distances by Floyd and Warshall.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/core/units/literals.hpp"

namespace railwright::core {
namespace {

using literals::operator""_GBps;
using literals::operator""_us;

constexpr int kSwitches = 40;
constexpr int kFar = 1000;

using Distances = std::vector<std::vector<int>>;

int below(RandomStream& random, int limit) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(limit)));
}

/// Fewer cables than two a switch leave long ways, and some switches apart.
Fabric random_switches(RandomStream& random, int num_cables) {
  Fabric fabric;
  for (int s = 0; s < kSwitches; ++s) {
    fabric.add_vertex({Role::kSwitch, -1, s, "switch " + std::to_string(s)});
  }
  for (int c = 0; c < num_cables; ++c) {
    const int a = below(random, kSwitches);
    const int b = (a + 1 + below(random, kSwitches - 1)) % kSwitches;
    const LinkId link = fabric.add_link({a, b, Tier::kFabric, 50.0_GBps, 1.0_us});
    if (below(random, 10) == 0) fabric.fail_link(link);
  }
  return fabric;
}

Distances distances(const Fabric& fabric) {
  Distances d(kSwitches, std::vector<int>(kSwitches, kFar));
  for (std::size_t s = 0; s < kSwitches; ++s) d[s][s] = 0;
  for (std::size_t l = 0; l < fabric.links().size(); ++l) {
    const Link& link = fabric.links()[l];
    if (fabric.is_failed(static_cast<LinkId>(l))) continue;
    d[static_cast<std::size_t>(link.from)][static_cast<std::size_t>(link.to)] = 1;
  }
  for (std::size_t k = 0; k < kSwitches; ++k) {
    for (std::size_t i = 0; i < kSwitches; ++i) {
      for (std::size_t j = 0; j < kSwitches; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

/// Every link that is on a shortest way carries something, and no other.
void expect_all_shortest_ways(const Fabric& fabric, const Distances& d, VertexId from,
                              VertexId to) {
  const auto between = [&](VertexId a, VertexId b) {
    return d[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  };
  if (between(from, to) >= kFar) {
    EXPECT_THROW((void)fabric.spread_route(from, to), SimulationError);
    return;
  }
  std::vector<double> carried(fabric.links().size());
  for (const LinkUse& use : fabric.spread_route(from, to)) {
    carried[static_cast<std::size_t>(use.link)] += use.coefficient;
  }
  for (std::size_t l = 0; l < carried.size(); ++l) {
    const Link& link = fabric.links()[l];
    const bool is_on_way = !fabric.is_failed(static_cast<LinkId>(l)) &&
                           between(from, link.from) + 1 + between(link.to, to) == between(from, to);
    EXPECT_EQ(carried[l] > 0.0, is_on_way) << from << " to " << to << " link " << l;
  }
  EXPECT_EQ(fabric.route(from, to).size(), static_cast<std::size_t>(between(from, to)));
}

TEST(RandomSwitches, SpreadOverAllShortestWaysAndNoOthers) {
  RandomStream random(20240611);
  int longest = 0;
  for (int turn = 0; turn < 24; ++turn) {
    const Fabric fabric = random_switches(random, 30 + 4 * turn);
    const Distances d = distances(fabric);
    std::vector<std::pair<VertexId, VertexId>> pairs;
    for (VertexId from = 0; from < kSwitches; ++from) {
      for (VertexId to = 0; to < kSwitches; ++to) pairs.emplace_back(from, to);
    }
    for (std::size_t i = pairs.size() - 1; i > 0; --i) {
      std::swap(pairs[i], pairs[random.below(i + 1)]);
    }
    for (const auto& [from, to] : pairs) {
      expect_all_shortest_ways(fabric, d, from, to);
      const int distance = d[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
      if (distance < kFar) longest = std::max(longest, distance);
    }
  }
  EXPECT_GT(longest, 8);
}

}  // namespace
}  // namespace railwright::core
