// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/storage/storage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "../../support/scenario.hpp"

namespace railwright::models {
namespace {

class StorageNetworkTest : public testing::Test {
 protected:
  StorageNetworkTest()
      : built_({}),
        network_(built_.built.fabric.make_network()),
        storage_(built_.built.fabric, network_, built_.checked.scenario.cluster.storage->node) {}

  [[nodiscard]] const core::Vertex& start_of(const core::LinkUse& use) const {
    const core::Fabric& fabric = built_.built.fabric;
    const core::Link& link = fabric.links()[static_cast<std::size_t>(use.link)];
    return fabric.vertices()[static_cast<std::size_t>(link.from)];
  }

  test::BuiltScenario built_;
  core::FlowNetwork network_;
  StorageNetwork storage_;
};

TEST_F(StorageNetworkTest, AddsADiskOfCapacityOneForEachNode) {
  EXPECT_EQ(storage_.num_nodes(), 3);
  const std::size_t links = built_.built.fabric.links().size();
  ASSERT_EQ(network_.num_links(), links + 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(network_.capacity(static_cast<core::LinkId>(links + i)), 1.0);
  }
}

TEST_F(StorageNetworkTest, DealsStreamsOverNicsAndStorageNodes) {
  std::set<core::LinkId> disks;
  std::set<int> nics;
  for (int stream = 0; stream < 6; ++stream) {
    const auto route = storage_.write_route(1, stream);
    disks.insert(route.back().link);
    for (std::size_t i = 0; i + 1 < route.size(); ++i) {
      const core::Vertex& from = start_of(route[i]);
      if (from.role != core::Role::kFrontEndNic) continue;
      EXPECT_EQ(from.node, 1);
      nics.insert(from.local_index);
    }
  }
  EXPECT_EQ(disks.size(), 3U);
  EXPECT_EQ(nics.size(), 2U);
}

TEST_F(StorageNetworkTest, ReadsAndWritesShareADisk) {
  const auto write = storage_.write_route(0, 0);
  const auto read = storage_.read_route(0, 0);
  EXPECT_EQ(write.back().link, read.back().link);
  EXPECT_DOUBLE_EQ(write.back().coefficient, 1.0 / 3e9);
  EXPECT_DOUBLE_EQ(read.back().coefficient, 1.0 / 10e9);
  // Half of the disk's time for each: half of the burst rate written, the rest of it read.
  const core::FlowId writer = network_.add({.route = write, .size = 1, .ceiling = 1.5e9});
  const core::FlowId reader = network_.add({.route = read, .size = 1});
  network_.solve();
  EXPECT_NEAR(network_.rate(writer), 1.5e9, 1.0);
  EXPECT_NEAR(network_.rate(reader), 5e9, 1.0);
}

TEST_F(StorageNetworkTest, EveryByteLeavesTheClientAndReachesTheDisk) {
  for (int stream = 0; stream < 6; ++stream) {
    for (const bool write : {true, false}) {
      const auto route = write ? storage_.write_route(0, stream) : storage_.read_route(0, stream);
      double out_of_client = 0.0;
      double out_of_storage = 0.0;
      for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        const core::Role role = start_of(route[i]).role;
        if (role == core::Role::kFrontEndNic) out_of_client += route[i].coefficient;
        if (role == core::Role::kStorageNode) out_of_storage += route[i].coefficient;
      }
      EXPECT_DOUBLE_EQ(out_of_client, write ? 1.0 : 0.0);
      EXPECT_DOUBLE_EQ(out_of_storage, write ? 0.0 : 1.0);
    }
  }
}

TEST(SustainedWrite, IsWhatTheNodesHoldTogether) {
  core::StorageNode node;
  node.write_rate.value = core::Bandwidth::from_base(2e9);
  EXPECT_DOUBLE_EQ(sustained_write_time(core::DataSize::from_base(60e9), node, 3).base(), 10.0);
}

}  // namespace
}  // namespace railwright::models
