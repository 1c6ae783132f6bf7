// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/storage/protection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace railwright::models {
namespace {

using core::Bandwidth;
using core::Protection;

struct Published {
  int nodes;
  Protection protection;
  Stripe stripe;
};

/// The table of OneFS for 3 to 6 nodes, and the widest stripes of larger clusters.
std::vector<Published> published() {
  using enum Protection;
  return {{3, k1n, {2, 1}},     {3, k2d1n, {4, 2}},  {3, k3d1n, {6, 3}},   {3, k3d1n1d, {3, 3}},
          {3, k4d1n, {8, 4}},   {4, k1n, {3, 1}},    {4, k2d1n, {6, 2}},   {4, k3d1n, {9, 3}},
          {4, k3d1n1d, {5, 3}}, {4, k4d1n, {12, 4}}, {4, k4d2n, {4, 4}},   {5, k1n, {4, 1}},
          {5, k2d1n, {8, 2}},   {5, k2n, {3, 2}},    {5, k3d1n, {12, 3}},  {5, k3d1n1d, {7, 3}},
          {5, k4d1n, {16, 4}},  {5, k4d2n, {6, 4}},  {6, k1n, {5, 1}},     {6, k2d1n, {10, 2}},
          {6, k2n, {4, 2}},     {6, k3d1n, {15, 3}}, {6, k3d1n1d, {9, 3}}, {6, k4d1n, {16, 4}},
          {6, k4d2n, {8, 4}},   {8, k2d1n, {14, 2}}, {9, k2d1n, {16, 2}},  {252, k2d1n, {16, 2}},
          {252, k1n, {16, 1}},  {252, k4n, {16, 4}}};
}

TEST(StorageProtection, StripesAreThosePublished) {
  for (const Published& row : published()) {
    EXPECT_EQ(stripe(row.protection, row.nodes), row.stripe)
        << row.nodes << " nodes, protection " << static_cast<int>(row.protection);
  }
}

TEST(StorageProtection, TooFewNodesHoldNoStripe) {
  using enum Protection;
  for (const auto& [protection, fewest] : std::vector<std::pair<Protection, int>>{{k1n, 3},
                                                                                  {k2n, 5},
                                                                                  {k3n, 7},
                                                                                  {k4n, 9},
                                                                                  {k2d1n, 3},
                                                                                  {k3d1n, 3},
                                                                                  {k3d1n1d, 3},
                                                                                  {k4d1n, 3},
                                                                                  {k4d2n, 4},
                                                                                  {k2x, 2},
                                                                                  {k3x, 3},
                                                                                  {kNone, 1},
                                                                                  {k8p2, 1}}) {
    EXPECT_EQ(min_nodes(protection), fewest);
    EXPECT_FALSE(stripe(protection, fewest - 1));
    EXPECT_TRUE(stripe(protection, fewest));
    EXPECT_TRUE(std::isinf(write_amplification(protection, fewest - 1)));
  }
}

TEST(StorageProtection, WritesMoreThanClientsDo) {
  EXPECT_DOUBLE_EQ(write_amplification(Protection::k2d1n, 3), 1.5);
  EXPECT_NEAR(write_amplification(Protection::k2d1n, 4), 1.333, 5e-4);
  EXPECT_DOUBLE_EQ(write_amplification(Protection::k2d1n, 5), 1.25);
  EXPECT_DOUBLE_EQ(write_amplification(Protection::k2d1n, 6), 1.2);
  EXPECT_NEAR(write_amplification(Protection::k2d1n, 8), 1.143, 5e-4);
  EXPECT_DOUBLE_EQ(write_amplification(Protection::k2d1n, 9), 1.125);
  EXPECT_EQ(write_amplification(Protection::k2x, 4), 2.0);
  EXPECT_EQ(write_amplification(Protection::k3x, 4), 3.0);
  EXPECT_EQ(write_amplification(Protection::k8p2, 1), 1.25);
  EXPECT_EQ(write_amplification(Protection::kNone, 7), 1.0);
}

TEST(StorageProtection, ParityTakesItsShareOfTheCapacity) {
  for (const auto& [nodes, percent] :
       std::vector<std::pair<int, double>>{{3, 33}, {4, 25}, {5, 20}, {6, 17}}) {
    const double for_clients = 1.0 / write_amplification(Protection::k2d1n, nodes);
    EXPECT_NEAR(100 * (1.0 - for_clients), percent, 0.5);
  }
}

TEST(StorageProtection, SurvivesTheNodesInItsName) {
  using enum Protection;
  EXPECT_EQ(node_losses_survived(k3n, 9), 3);
  EXPECT_EQ(node_losses_survived(k2d1n, 4), 1);
  EXPECT_EQ(node_losses_survived(k3d1n1d, 4), 1);
  EXPECT_EQ(node_losses_survived(k4d2n, 4), 2);
  EXPECT_EQ(node_losses_survived(k3x, 4), 2);
  EXPECT_EQ(node_losses_survived(kNone, 4), 0);
  EXPECT_EQ(node_losses_survived(k8p2, 4), 0) << "the drives of one appliance";
  EXPECT_EQ(node_losses_survived(k12p4, 16), 4) << "one unit on each node";
  EXPECT_EQ(node_losses_survived(k12p4, 4), 1) << "four units on each node";
  EXPECT_EQ(node_losses_survived(k4n, 4), 0) << "holds no stripe";
}

TEST(StorageProtection, SmallFilesAreMirrored) {
  EXPECT_EQ(small_file_amplification(Protection::k2d1n), 3.0);
  EXPECT_EQ(small_file_amplification(Protection::k4n), 5.0);
  EXPECT_EQ(small_file_amplification(Protection::k2x), 2.0);
  EXPECT_EQ(small_file_amplification(Protection::k8p2), 1.25);
  EXPECT_EQ(small_file_amplification(Protection::kNone), 1.0);
}

TEST(StorageProtection, MoreThanHalfOfTheNodesAreAQuorum) {
  EXPECT_EQ(quorum(3), 2);
  EXPECT_EQ(quorum(4), 3);
  EXPECT_EQ(quorum(252), 127);
}

core::StorageNode four_rated_nodes() {
  core::StorageNode node;
  node.read_rate.value = Bandwidth::from_base(10e9);
  node.write_rate.value = Bandwidth::from_base(2e9);
  node.burst_write_rate.value = Bandwidth::from_base(3e9);
  node.protection.value = Protection::k2d1n;
  node.rated_nodes.value = 4;
  node.raw_capacity.value = core::DataSize::from_base(60e12);
  return node;
}

TEST(StorageProtection, DrivesWriteAsFastOnAnyNumberOfNodes) {
  const core::StorageNode node = four_rated_nodes();
  EXPECT_DOUBLE_EQ(client_write_rate(node, 4).base(), 2e9);
  for (const int nodes : {3, 5, 6, 8, 40}) {
    EXPECT_NEAR(
        client_write_rate(node, nodes).base() * write_amplification(Protection::k2d1n, nodes),
        2e9 * 8 / 6, 1.0);
    EXPECT_NEAR(client_burst_write_rate(node, nodes) / client_write_rate(node, nodes), 1.5, 1e-12);
  }
  EXPECT_EQ(client_write_rate(node, 2).base(), 0.0) << "two nodes hold no stripe";
}

TEST(StorageProtection, RatesMeasuredWithOneProtectionServeAnother) {
  core::StorageNode node = four_rated_nodes();
  node.protection.value = Protection::k2x;
  EXPECT_DOUBLE_EQ(client_write_rate(node, 4).base(), 2e9) << "measured with two copies";
  node.rated_protection = {Protection::k2d1n, "test", false};
  EXPECT_DOUBLE_EQ(client_write_rate(node, 4).base(), 2e9 * (8.0 / 6) / 2);
}

TEST(StorageProtection, CapacityIsWhatParityLeavesAndReductionMultiplies) {
  const core::StorageNode node = four_rated_nodes();
  EXPECT_EQ(raw_capacity(node, 5).base(), 300e12);
  EXPECT_DOUBLE_EQ(usable_capacity(node, 5, 1.0).base(), 240e12);
  EXPECT_DOUBLE_EQ(usable_capacity(node, 5, 2.0).base(), 480e12);
  EXPECT_EQ(usable_capacity(node, 2, 1.0).base(), 0.0);
  // A tenth of the drives is kept free: 270 TB, of which 10 of 12.5 parts are data.
  EXPECT_NEAR(usable_capacity(node, 5, 1.0, 0.1).base(), 216e12, 1.0);
}

TEST(StorageProtection, ProcessorsAreFullAtTheirRates) {
  core::StorageNode node = four_rated_nodes();
  EXPECT_EQ(processor_load(node, Bandwidth::from_base(5e9), Bandwidth::from_base(1e9)), 0.0);
  node.idle_processor_load.value = 0.1;
  node.processor_read_rate.value = Bandwidth::from_base(20e9);
  node.processor_write_rate.value = Bandwidth::from_base(5e9);
  EXPECT_EQ(processor_load(node, Bandwidth{}, Bandwidth{}), 0.1);
  EXPECT_DOUBLE_EQ(processor_load(node, Bandwidth::from_base(5e9), Bandwidth::from_base(1e9)),
                   0.1 + 0.9 * (0.25 + 0.2));
  EXPECT_EQ(processor_load(node, Bandwidth::from_base(30e9), Bandwidth{}), 1.0);
}

}  // namespace
}  // namespace railwright::models
