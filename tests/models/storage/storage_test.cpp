// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/storage/storage.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::models {
namespace {

/// Three F600P behind two nodes with two front-end NICs of two ports each.
class StorageNetworkTest : public testing::Test {
 protected:
  explicit StorageNetworkTest(const test::Settings& settings = {}) : built_(settings) {}

  [[nodiscard]] const topologies::StorageCluster& storage() const {
    return *built_.checked.scenario.cluster.storage;
  }
  [[nodiscard]] StorageNetwork network(int num_down = 0) const {
    return {built_.built.fabric, storage().node, storage().mount, num_down};
  }
  /// Loads on the links of a kind, those that are none left out.
  static std::vector<double> of_kind(const StorageNetwork& network, const TransferLoads& loads,
                                     StorageLinkKind kind) {
    std::vector<double> found;
    for (const core::LinkUse& use : loads.uses) {
      if (network.links()[static_cast<std::size_t>(use.link)].kind == kind) {
        found.push_back(use.coefficient);
      }
    }
    return found;
  }
  static std::vector<StorageStream> streams(int count, int client = 0) {
    return std::vector<StorageStream>(static_cast<std::size_t>(count), {client, 1e9});
  }

  test::BuiltScenario built_;
};

TEST_F(StorageNetworkTest, StreamsAreDealtOverTheNodesInTurn) {
  const StorageNetwork network = this->network();
  const TransferLoads loads = network.loads(streams(7), Direction::kRead);
  EXPECT_DOUBLE_EQ(loads.bytes, 7e9);
  EXPECT_DOUBLE_EQ(loads.largest_client, 7e9);
  EXPECT_DOUBLE_EQ(loads.largest_stream, 1e9);
  const auto at_nodes = of_kind(network, loads, StorageLinkKind::kStorageNode);
  ASSERT_EQ(at_nodes.size(), 3U);
  EXPECT_DOUBLE_EQ(at_nodes[0], 3.0 / 7 / 10e9);
  EXPECT_DOUBLE_EQ(at_nodes[1], 2.0 / 7 / 10e9);
  EXPECT_DOUBLE_EQ(at_nodes[2], 2.0 / 7 / 10e9);
  EXPECT_DOUBLE_EQ(of_kind(network, loads, StorageLinkKind::kDrives).at(0), 1 / 10e9);
  // Four streams over one NIC, three over the other, each over two ports to two switches.
  const auto front_end = of_kind(network, loads, StorageLinkKind::kFrontEnd);
  ASSERT_EQ(front_end.size(), 4U);
  EXPECT_DOUBLE_EQ(front_end[0], 4.0 / 7 / 2);
  EXPECT_DOUBLE_EQ(front_end[3], 3.0 / 7 / 2);
}

TEST_F(StorageNetworkTest, WritesCostTheirProtection) {
  const StorageNetwork network = this->network();
  const TransferLoads loads = network.loads(streams(3), Direction::kWrite);
  // 4+2 on three nodes writes 3/2 bytes for each; rated where 6+2 writes 4/3.
  constexpr double kShare = 8.0 / 9;
  EXPECT_DOUBLE_EQ(of_kind(network, loads, StorageLinkKind::kDrives).at(0), 1 / (2e9 * kShare));
  EXPECT_DOUBLE_EQ(of_kind(network, loads, StorageLinkKind::kStorageNode).at(0),
                   1.0 / 3 / (3e9 * kShare));
  // Two thirds of what a node writes goes to the two others.
  EXPECT_DOUBLE_EQ(of_kind(network, loads, StorageLinkKind::kBackEnd).at(0), 1.0 / 3 * 2 / 3 * 1.5);
  EXPECT_DOUBLE_EQ(free_rate_of_drives(loads, network.links()).rate, 3 * 2e9 * kShare);
  EXPECT_EQ(free_rate_of_drives(loads, network.links()).kind, StorageLinkKind::kDrives);
  EXPECT_DOUBLE_EQ(free_rate_to_nodes(loads, network.links()).rate, 3 * 3e9 * kShare);
  EXPECT_EQ(free_rate_to_nodes(loads, network.links()).kind, StorageLinkKind::kStorageNode);
}

TEST_F(StorageNetworkTest, AllClientsCountAtTheStorageAndTheLargestAtItsOwnNic) {
  const StorageNetwork network = this->network();
  std::vector<StorageStream> both = streams(3, 0);
  for (const StorageStream& stream : streams(9, 1)) both.push_back(stream);
  const TransferLoads loads = network.loads(both, Direction::kWrite);
  EXPECT_DOUBLE_EQ(loads.largest_client, 9e9);
  const auto ports = of_kind(network, loads, StorageLinkKind::kStoragePort);
  double into_storage = 0.0;
  for (const double load : ports) into_storage += load;
  EXPECT_DOUBLE_EQ(into_storage, 1.0);
  double largest = 0.0;
  for (const double load : of_kind(network, loads, StorageLinkKind::kFrontEnd)) {
    largest = std::max(largest, load);
  }
  // Of the second client's nine streams five go over one NIC, half of them over each port.
  EXPECT_DOUBLE_EQ(largest, 5.0 / 12 / 2);
}

TEST_F(StorageNetworkTest, FewerNodesTakeAllStreams) {
  const StorageNetwork network = this->network(1);
  EXPECT_EQ(network.num_nodes(), 2);
  const TransferLoads loads = network.loads(streams(4), Direction::kWrite);
  EXPECT_EQ(of_kind(network, loads, StorageLinkKind::kStorageNode).size(), 2U);
  EXPECT_DOUBLE_EQ(free_rate_of_drives(loads, network.links()).rate, 2 * 2e9 * 8 / 9)
      << "stripes stay as wide";
}

TEST_F(StorageNetworkTest, SmallReadsTakeTheOperationsOfANode) {
  test::BuiltScenario built(
      {"cluster.storage.node.read_operations_per_s={value: 1000, source: test}"});
  const auto& storage = *built.checked.scenario.cluster.storage;
  const StorageNetwork network(built.built.fabric, storage.node, storage.mount);
  const auto rate = [&](double request) {
    const TransferLoads loads = network.loads(streams(3), Direction::kRead,
                                              {.request = core::DataSize::from_base(request)});
    return free_rate_to_nodes(loads, network.links()).rate;
  };
  EXPECT_DOUBLE_EQ(rate(1e6), 3 * 1e9);
  EXPECT_DOUBLE_EQ(rate(1e9), 3 * 10e9);
}

TEST_F(StorageNetworkTest, DrivesMoveWhatMemoryDoesNotKeepAndMirrors) {
  const StorageNetwork network = this->network();
  const auto on_drives = [&](Direction direction, double factor) {
    const TransferLoads loads = network.loads(streams(3), direction, {.on_drives = factor});
    return of_kind(network, loads, StorageLinkKind::kDrives).at(0);
  };
  EXPECT_DOUBLE_EQ(on_drives(Direction::kRead, 0.25), 0.25 / 10e9);
  EXPECT_DOUBLE_EQ(on_drives(Direction::kWrite, 2.0), 2.0 * on_drives(Direction::kWrite, 1.0));
}

TEST_F(StorageNetworkTest, OneMountLeadsToOneNode) {
  test::BuiltScenario built({"cluster.storage.mount={all_nodes: false}"});
  const auto& storage = *built.checked.scenario.cluster.storage;
  const StorageNetwork network(built.built.fabric, storage.node, storage.mount);
  const TransferLoads loads = network.loads(streams(6, 1), Direction::kRead);
  const auto at_nodes = of_kind(network, loads, StorageLinkKind::kStorageNode);
  ASSERT_EQ(at_nodes.size(), 1U);
  EXPECT_DOUBLE_EQ(at_nodes[0], 1 / 10e9);
}

test::Settings on_scale_out(const test::Settings& more = {}) {
  return test::join({"cluster.storage={node: powerscale-f600p, count: 3, network: scale_out}"},
                    more);
}

class ScaleOutStorageTest : public StorageNetworkTest {
 protected:
  ScaleOutStorageTest() : StorageNetworkTest(on_scale_out()) {}
};

TEST_F(ScaleOutStorageTest, StreamsAreDealtOverTheNicsOfTheirNode) {
  const StorageNetwork network = this->network();
  std::vector<StorageStream> both = streams(10, 0);
  for (const StorageStream& stream : streams(6, 1)) both.push_back(stream);
  const TransferLoads loads = network.loads(both, Direction::kWrite);
  // Ten streams over eight NICs, and six over eight that are dealt on from the tenth.
  const auto nics = of_kind(network, loads, StorageLinkKind::kScaleOut);
  ASSERT_EQ(nics.size(), 8U + 6U);
  EXPECT_DOUBLE_EQ(nics[0], 2.0 / 16);
  EXPECT_DOUBLE_EQ(nics[1], 2.0 / 16);
  for (std::size_t i = 2; i < nics.size(); ++i) EXPECT_DOUBLE_EQ(nics[i], 1.0 / 16) << i;
  EXPECT_TRUE(of_kind(network, loads, StorageLinkKind::kFrontEnd).empty());
  // Both ports of a storage node lead to the one switch.
  const auto ports = of_kind(network, loads, StorageLinkKind::kStoragePort);
  ASSERT_EQ(ports.size(), 3U);
  EXPECT_DOUBLE_EQ(ports[0], 6.0 / 16);
}

TEST_F(ScaleOutStorageTest, NicsThatAreDownCarryNothing) {
  test::BuiltScenario built(
      on_scale_out({"cluster.faults.nics=[{node: 0, nic: 0}, {node: 0, nic: 3}]"}));
  const StorageNetwork network(built.built.fabric, storage().node, storage().mount);
  const TransferLoads loads = network.loads(streams(12), Direction::kRead);
  const auto nics = of_kind(network, loads, StorageLinkKind::kScaleOut);
  ASSERT_EQ(nics.size(), 6U);
  for (const double load : nics) EXPECT_DOUBLE_EQ(load, 2.0 / 12);
}

}  // namespace
}  // namespace railwright::models
