// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/burst_shares.hpp"

#include <gtest/gtest.h>

#include "railwright/core/sim/random.hpp"

namespace railwright::simulation::replication {
namespace {

using Uses = std::vector<core::LinkUse>;

TEST(BurstShares, AreWholeWhereAllHaveRoom) {
  const Uses first{{0, 0.1}};
  const Uses second{{0, 0.1}, {1, 0.25}};
  // 4 * 2 * 0.1 + 1 * 2 * 0.1 = 1.
  const std::vector<Burst> bursts{{first, 4.0, 1.0}, {second, 1.0, 1.0}};
  EXPECT_EQ(burst_shares(bursts), (std::vector<double>{1.0, 1.0}));
  EXPECT_TRUE(burst_shares({}).empty());
}

TEST(BurstShares, DivideTheRoomOfALink) {
  const Uses both{{0, 0.1}};
  // Means take half of the link; the bursts want 0.1 * (4 + 2 * 3) = 1 of the half that is left.
  const std::vector<Burst> bursts{{both, 4.0, 1.0}, {both, 1.0, 6.0}};
  const std::vector<double> shares = burst_shares(bursts);
  EXPECT_DOUBLE_EQ(shares[0], 0.5);
  EXPECT_DOUBLE_EQ(shares[1], 0.5);
}

TEST(BurstShares, RiseOnWhereAnotherLinkIsFull) {
  const Uses narrow{{0, 0.5}};
  const Uses wide{{1, 0.1}};
  const Uses read{{0, 0.25}};
  // The first has 1 - 0.5 - 0.25 of its link left for the 0.5 more that it wants.
  const std::vector<Burst> bursts{{narrow, 1.0, 1.0}, {wide, 2.0, 3.0}, {read, 1.0, 0.0}};
  const std::vector<double> shares = burst_shares(bursts);
  EXPECT_DOUBLE_EQ(shares[0], 0.5);
  EXPECT_EQ(shares[1], 1.0);
}

TEST(BurstShares, AreNoneOnAFullLink) {
  const Uses full{{0, 0.5}};
  const std::vector<Burst> bursts{{full, 1.0, 0.5}, {full, 1.0, 2.0}};
  EXPECT_EQ(burst_shares(bursts), (std::vector<double>{0.0, 0.0}));
}

/// Random flows within their links: bursts keep within them too, and what could still rise does.
TEST(BurstShares, FillLinksAndNoMore) {
  core::RandomStream random(3);
  for (int round = 0; round < 500; ++round) {
    std::vector<Uses> uses(1 + random.below(6));
    std::vector<Burst> bursts;
    std::vector<double> load(4, 0.0);
    for (Uses& one : uses) {
      for (core::LinkId link = 0; link < 4; ++link) {
        if (random.uniform() < 0.5) one.push_back({link, random.uniform() + 0.01});
      }
      const double rate = random.uniform() / 8;
      bursts.push_back({one, rate, random.uniform() < 0.3 ? 0.0 : 8.0 * random.uniform()});
    }
    const std::vector<double> shares = burst_shares(bursts);
    for (std::size_t i = 0; i < bursts.size(); ++i) {
      EXPECT_GE(shares[i], 0.0);
      EXPECT_LE(shares[i], 1.0);
      const double peak = bursts[i].rate * (1.0 + bursts[i].more * shares[i]);
      for (const core::LinkUse& use : bursts[i].uses) {
        load[static_cast<std::size_t>(use.link)] += use.coefficient * peak;
      }
    }
    for (const double one : load) EXPECT_LE(one, 1.0 + 1e-9);
    for (std::size_t i = 0; i < bursts.size(); ++i) {
      double fullest = 0.0;
      for (const core::LinkUse& use : bursts[i].uses) {
        fullest = std::max(fullest, load[static_cast<std::size_t>(use.link)]);
      }
      if (shares[i] < 1.0 - 1e-9) {
        EXPECT_NEAR(fullest, 1.0, 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace railwright::simulation::replication
