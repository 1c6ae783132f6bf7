// SPDX-License-Identifier: Apache-2.0
// What must hold of every storage node with every mount of the catalogue, every protection and
// every tier of offloading. All come from their lists: a new one is covered.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "entries.hpp"
#include "railwright/core/hardware/mount_fields.hpp"
#include "railwright/core/hardware/storage_node_fields.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/models/offload/tier_fields.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/models/storage/storage.hpp"

namespace railwright::models {
namespace {

std::vector<StorageStream> streams() { return {{0, 3e9}, {0, 1e9}, {1, 2e9}, {1, 5e8}, {1, 1.0}}; }

double rate(const StorageNetwork& network, const TransferLoads& loads) {
  return std::min(free_rate_to_nodes(loads, network.links()).rate,
                  free_rate_of_drives(loads, network.links()).rate);
}

TEST(StorageContract, EveryNodeWithEveryMountConservesBytesAndKeepsWithinItsDrives) {
  const test::BuiltScenario built({"cluster.storage.count=3"});
  for (const auto& node : test::entries<core::StorageNode>()) {
    for (const auto& mount : test::entries<core::Mount>()) {
      SCOPED_TRACE(node.name + " " + mount.name);
      const StorageNetwork network(built.built.fabric, node, mount);
      for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
        const TransferLoads loads = network.loads(streams(), direction);
        EXPECT_DOUBLE_EQ(loads.bytes, 6.5e9 + 1.0);
        EXPECT_DOUBLE_EQ(loads.largest_stream, 3e9);
        EXPECT_DOUBLE_EQ(loads.largest_client, 4e9);
        double shares = 0.0;
        for (const core::LinkUse& use : loads.node_shares) shares += use.coefficient;
        EXPECT_NEAR(shares, 1.0, 1e-12);
        for (const core::LinkUse& use : loads.uses) EXPECT_GT(use.coefficient, 0.0);
        const double bytes_per_s = rate(network, loads);
        EXPECT_TRUE(std::isfinite(bytes_per_s));
        EXPECT_GT(bytes_per_s, 0.0);
        const double most = direction == Direction::kRead ? node.read_rate.value.base()
                                                          : node.burst_write_rate.value.base();
        // Wider stripes than those that were rated write less beside the data.
        EXPECT_LE(bytes_per_s,
                  3.0 * most * write_amplification(rated_protection(node), node.rated_nodes.value));
        const TransferLoads small =
            network.loads(streams(), direction, {.request = core::DataSize::from_base(4096.0)});
        EXPECT_LE(rate(network, small), bytes_per_s * (1.0 + 1e-12));
      }
    }
  }
}

TEST(StorageContract, TwiceTheNodeIsNeverSlower) {
  const test::BuiltScenario built({"cluster.storage.count=3"});
  for (core::StorageNode node : test::entries<core::StorageNode>()) {
    SCOPED_TRACE(node.name);
    const core::Mount& mount = built.checked.scenario.cluster.storage->mount;
    std::vector<double> before;
    for (const double factor : {1.0, 2.0}) {
      node.read_rate.value *= factor;
      node.write_rate.value *= factor;
      node.burst_write_rate.value *= factor;
      const StorageNetwork network(built.built.fabric, node, mount);
      std::vector<double> rates;
      for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
        rates.push_back(rate(network, network.loads(streams(), direction)));
      }
      for (std::size_t i = 0; i < before.size(); ++i) EXPECT_GE(rates[i], before[i]);
      before = rates;
    }
  }
}

TEST(StorageContract, EveryProtectionWritesWhatItNeedsAndNoMoreThanACopyForEachLoss) {
  for (const auto& [name, protection] : core::kWordsOf<core::Protection>) {
    SCOPED_TRACE(name);
    for (int nodes = min_nodes(protection); nodes <= 252; ++nodes) {
      ASSERT_TRUE(stripe(protection, nodes)) << nodes;
      const int losses = node_losses_survived(protection, nodes);
      const double written = write_amplification(protection, nodes);
      EXPECT_GE(losses, 0) << nodes;
      EXPECT_LT(losses, nodes) << nodes;
      EXPECT_GE(written, 1.0) << nodes;
      // To outlive a loss of k of n nodes, n - k of them must hold all of it.
      if (losses > 0) {
        EXPECT_GE(written * (nodes - losses), nodes * (1.0 - 1e-12)) << nodes;
      }
      EXPECT_GE(small_file_amplification(protection), 1.0);
    }
    EXPECT_FALSE(stripe(protection, min_nodes(protection) - 1).has_value());
  }
}

TEST(StorageContract, NoTierFeedsMoreThanItReadsOrItsNodeCarries) {
  const auto& compute_node = test::scenario().scenario.cluster.node;
  for (OffloadTier tier : test::entries<OffloadTier>()) {
    SCOPED_TRACE(tier.name);
    const core::Bandwidth once = stream_rate(tier, compute_node);
    EXPECT_GT(once.base(), 0.0);
    EXPECT_LE(once, tier.read_rate.value);
    EXPECT_LE(once, host_link_rate(compute_node));
    EXPECT_GT(write_rate(tier, compute_node).base(), 0.0);
    tier.read_rate.value *= 2.0;
    EXPECT_GE(stream_rate(tier, compute_node), once);
  }
}

}  // namespace
}  // namespace railwright::models
