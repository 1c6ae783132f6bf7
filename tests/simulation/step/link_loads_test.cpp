// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/link_loads.hpp"

#include <gtest/gtest.h>

#include "../../output/drawing/wired_fabrics.hpp"

namespace railwright::simulation {
namespace {

using core::Duration;

/// Two nodes of two rails; the capacity of every link as it is built.
struct Loaded {
  test::WiredRails wired = test::wired_rails(2, 2);
  std::vector<double> capacity;
  std::vector<double> bytes;

  Loaded() : bytes(wired.fabric.links().size(), 0.0) {
    for (const core::Link& link : wired.fabric.links()) capacity.push_back(link.bandwidth.base());
  }
  /// Bytes on every link of a tier that leads up, or down.
  void load(core::Tier tier, std::size_t direction, double amount) {
    for (std::size_t l = direction; l < bytes.size(); l += 2) {
      if (wired.fabric.links()[l].tier == tier) bytes[l] = amount;
    }
  }
  [[nodiscard]] std::vector<LinkLoad> busiest(std::size_t most = 10) const {
    return busiest_links(wired.fabric, capacity, bytes, Duration::from_base(1.0), most);
  }
};

TEST(BusiestLinks, AlikeLinksAreOneEntry) {
  Loaded loaded;
  loaded.load(core::Tier::kInjection, 0, 25e9);
  loaded.load(core::Tier::kFabric, 0, 10e9);
  const auto links = loaded.busiest();
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].name, "node 0 NIC 0 -> leaf 0");
  EXPECT_EQ(links[0].multiplicity, 4);
  EXPECT_DOUBLE_EQ(links[0].utilization, 0.5);
  EXPECT_EQ(links[0].bytes.base(), 25e9);
  EXPECT_EQ(links[1].name, "leaf 0 -> spine 0");
  EXPECT_EQ(links[1].multiplicity, 4);
  EXPECT_DOUBLE_EQ(links[1].utilization, 0.1);
}

TEST(BusiestLinks, DirectionsAndTheOddOneStandAlone) {
  Loaded loaded;
  loaded.load(core::Tier::kInjection, 0, 25e9);
  loaded.load(core::Tier::kInjection, 1, 25e9);
  std::size_t odd = 0;
  while (link_name(loaded.wired.fabric, static_cast<core::LinkId>(odd)) !=
         "leaf 1 -> node 1 NIC 1") {
    ++odd;
  }
  loaded.bytes[odd] = 26e9;
  const auto links = loaded.busiest();
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0].name, "leaf 1 -> node 1 NIC 1");
  EXPECT_EQ(links[0].multiplicity, 1);
  EXPECT_EQ(links[1].multiplicity, 4);
  EXPECT_EQ(links[2].name, "leaf 0 -> node 0 NIC 0");
  EXPECT_EQ(links[2].multiplicity, 3);
  EXPECT_EQ(loaded.busiest(2).size(), 2U);
}

TEST(BusiestLinks, RoundingDoesNotPartLinks) {
  Loaded loaded;
  loaded.load(core::Tier::kInjection, 0, 25e9);
  for (std::size_t l = 0; l < loaded.bytes.size(); l += 4) loaded.bytes[l] *= 1.0 + 1e-14;
  EXPECT_EQ(loaded.busiest().size(), 1U);
}

TEST(BusiestLinks, NothingCarriedNothingListed) { EXPECT_TRUE(Loaded().busiest().empty()); }

TEST(TierLoads, TheBusiestOfEachTierThatCarriesAnything) {
  Loaded loaded;
  loaded.load(core::Tier::kFabric, 1, 30e9);
  const auto loads =
      tier_loads(loaded.wired.fabric, loaded.capacity, loaded.bytes, Duration::from_base(2.0));
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads[0].tier, core::Tier::kFabric);
  EXPECT_DOUBLE_EQ(loads[0].utilization, 0.15);
}

}  // namespace
}  // namespace railwright::simulation
