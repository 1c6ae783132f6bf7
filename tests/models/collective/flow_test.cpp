// SPDX-License-Identifier: Apache-2.0
// Latencies, point to point, merging and the time of a collective that is alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include "../../support/scenario.hpp"
#include "members.hpp"
#include "railwright/models/collective/communicator.hpp"

namespace railwright::models {
namespace {

std::vector<int> first_accelerators(int count) {
  std::vector<int> members(static_cast<std::size_t>(count));
  std::iota(members.begin(), members.end(), 0);
  return members;
}

class CollectiveFlowTest : public testing::Test {
 protected:
  CollectiveFlowTest() : system_({}) {}
  [[nodiscard]] const core::Fabric& fabric() const { return system_.built.fabric; }
  [[nodiscard]] const SoftwareProfile& software() const {
    return system_.checked.scenario.software;
  }
  [[nodiscard]] const CollectiveTuning& tuning() const { return software().collectives; }
  [[nodiscard]] CollectiveFlow ring(CollectiveOp op, const std::vector<int>& members,
                                    CollectiveProtocol protocol = CollectiveProtocol::kSimple,
                                    double bytes = 1.0) const {
    return Communicator(fabric(), members, tuning())
        .flow(op, bytes, {CollectiveAlgorithm("ring"), protocol});
  }

  test::BuiltScenario system_;
};

TEST_F(CollectiveFlowTest, RingTakesAHopLatencyAStep) {
  const double launch = 6.6e-6;
  const double base = 8.4e-6;
  // A step, and the slice of one byte of the buffer, which takes its whole latency to be seen.
  const double step = 3.4e-6 + 0.07e-6;
  const double in_node = step + 1.5e-6;
  const double network_launch = 15e-6;
  const auto eight = first_accelerators(8);
  EXPECT_NEAR(ring(CollectiveOp::kAllReduce, eight).latency.base(), launch + base + 14 * in_node,
              1e-9);
  EXPECT_NEAR(ring(CollectiveOp::kAllGather, eight).latency.base(), launch + base + 7 * in_node,
              1e-9);
  EXPECT_NEAR(ring(CollectiveOp::kAllReduce, eight, CollectiveProtocol::kLL).latency.base(),
              -2.26e-6 + 6.6e-6 + 14 * (0.6e-6 + 0.27e-6), 1e-9);
  const auto sixteen = first_accelerators(16);
  std::vector<core::LinkUse> way;
  fabric().append_route(0, 8, 0, way);
  const double between = 14e-6 + 2 * fabric().latency(std::span<const core::LinkUse>(way)).base();
  EXPECT_NEAR(ring(CollectiveOp::kReduceScatter, sixteen).latency.base(),
              launch + network_launch + base + 14 * in_node + between, 1e-9);
  EXPECT_NEAR(ring(CollectiveOp::kAllReduce, sixteen).latency.base(),
              launch + network_launch + base + 28 * in_node + 2 * between, 1e-9);
}

// Rings move in slices: S / 2n more than the bus carries, at most the buffers of all channels.
TEST_F(CollectiveFlowTest, RingsHaveASliceMoreUnderWay) {
  const double bus = 450e9 * 0.822;
  const auto latency = [this](CollectiveOp op, int members, double bytes) {
    return ring(op, first_accelerators(members), CollectiveProtocol::kSimple, bytes).latency.base();
  };
  for (const CollectiveOp op :
       {CollectiveOp::kAllReduce, CollectiveOp::kAllGather, CollectiveOp::kReduceScatter}) {
    for (const int members : {2, 4, 8}) {
      const int steps = (op == CollectiveOp::kAllReduce ? 2 : 1) * (members - 1);
      const double start = latency(op, members, 0.0) - 1.5e-6 * steps;
      // Long slices hide what it takes to see them.
      EXPECT_NEAR(latency(op, members, 64e6), start + 64e6 / (2 * members) / bus, 1e-12);
      EXPECT_NEAR(latency(op, members, 64e9), start + 48 * 2097152 / bus, 1e-12);
      const double slice = 1e6 / (2 * members) / bus;
      EXPECT_NEAR(latency(op, members, 1e6), start + slice + steps * std::max(0.0, 1.5e-6 - slice),
                  1e-12);
    }
  }
}

TEST_F(CollectiveFlowTest, OneMemberMovesNothing) {
  const CollectiveFlow flow =
      Communicator(fabric(), {3}, tuning()).flow(CollectiveOp::kAllReduce, 1e9);
  EXPECT_TRUE(flow.route.empty());
  EXPECT_EQ(flow.latency.base(), 0.0);
}

TEST_F(CollectiveFlowTest, AllReduceOfANodeTakesItsBusBandwidth) {
  const CollectiveFlow flow = ring(CollectiveOp::kAllReduce, first_accelerators(8));
  const double bytes = 1e9;
  // Eight channels on equal links: every port carries 2 * 7/8 of the buffer at 450 GB/s * 0.822.
  const double expected = 2.0 * 7 / 8 * bytes / (450e9 * 0.822);
  EXPECT_NEAR(isolated_time(flow, bytes, system_.costs.capacity).base() - flow.latency.base(),
              expected, 1e-12);
}

TEST_F(CollectiveFlowTest, TuningNamesTheAlgorithmOfAllReducesWhereItCanRun) {
  CollectiveTuning trees = tuning();
  trees.all_reduce_algorithm.value = CollectiveAlgorithm("tree");
  const Communicator two_nodes(fabric(), test::data_parallel_group(2, 1, 0), trees);
  for (const double bytes : {1e3, 1e6, 1e9}) {
    EXPECT_EQ(two_nodes.choice(CollectiveOp::kAllReduce, bytes).algorithm,
              CollectiveAlgorithm("tree"));
    EXPECT_EQ(two_nodes.choice(CollectiveOp::kAllGather, bytes).algorithm,
              CollectiveAlgorithm("ring"));
  }
  const Communicator node(fabric(), first_accelerators(8), trees);
  EXPECT_NE(node.choice(CollectiveOp::kAllReduce, 1e9).algorithm, CollectiveAlgorithm("tree"));
}

TEST_F(CollectiveFlowTest, SendCrossesEachLinkOfTheWayOnce) {
  const auto send = [this](int from, int to) {
    return Communicator(fabric(), {from, to}, software().collectives)
        .flow(CollectiveOp::kSendReceive, 1e6);
  };
  const CollectiveFlow flow = send(1, 9);
  // PCIe, NIC and injection on each side.
  ASSERT_EQ(flow.route.size(), 6U);
  for (const core::LinkUse& use : flow.route) EXPECT_EQ(use.coefficient, 1.0);
  // The start of a call between nodes.
  EXPECT_GT(flow.latency.base(), 15e-6 + 8.4e-6 + 14e-6 - 1e-6);
  EXPECT_LT(flow.latency.base(), 15e-6 + 8.4e-6 + 18e-6 - 1e-6);
  const CollectiveFlow near = send(1, 2);
  EXPECT_EQ(near.route.size(), 2U);
  EXPECT_NEAR(near.latency.base(), -0.9e-6 + 8.4e-6 + 3.4e-6, 1e-9);
}

// A member copies its own part too, and fills the first chunk of each of 24 channels.
TEST_F(CollectiveFlowTest, AllToAllInsideANodeCopiesTheOwnPart) {
  const double bus = 450e9 * 0.822;
  const auto time = [&](int members, double bytes) {
    const CollectiveFlow flow = Communicator(fabric(), first_accelerators(members), tuning())
                                    .flow(CollectiveOp::kAllToAll, bytes);
    return isolated_time(flow, bytes, system_.costs.capacity).base();
  };
  for (const int members : {2, 4, 8}) {
    const double bytes = 1e9;
    const double others = bytes * (members - 1) / members / (0.88 * bus);
    const double own = bytes / members / (5.9 * bus);
    const double first = 0.35 * 24 * 524288 / bus;
    EXPECT_NEAR(time(members, bytes),
                8.4e-6 + 3.4e-6 - 0.9e-6 + 0.3e-6 * (members - 1) + others + own + first, 1e-9);
  }
}

// What LL128 reaches inside a node is none of the network's: there the library's 0.92 holds.
TEST_F(CollectiveFlowTest, Ll128LeavesTheNetworkItsOwnShare) {
  const auto rate = [&](const std::vector<int>& members) {
    const CollectiveFlow flow =
        ring(CollectiveOp::kAllGather, members, CollectiveProtocol::kLL128, 8e6);
    CollectiveFlow free = flow;
    free.ceiling = std::numeric_limits<double>::infinity();
    free.latency = {};
    return flow.ceiling * isolated_time(free, 1.0, system_.costs.capacity).base();
  };
  EXPECT_NEAR(rate(first_accelerators(8)), 0.84, 1e-9);
  // One member a node: nothing crosses the scale-up domain.
  EXPECT_NEAR(rate({0, 8}), 0.92, 0.02);
  EXPECT_LE(rate({0, 8}), 0.92 + 1e-9);
}

TEST_F(CollectiveFlowTest, MergeAddsLoadsAndKeepsTheLongestLatencyAndTheLowestCeiling) {
  const std::array<CollectiveFlow, 3> flows{
      CollectiveFlow{.route = {{0, 1.0}, {4, 2.0}}, .latency = core::Duration::from_base(1.0)},
      CollectiveFlow{
          .route = {{4, 0.5}}, .latency = core::Duration::from_base(3.0), .ceiling = 8.0},
      CollectiveFlow{.route = {{2, 7.0}}, .latency = core::Duration::from_base(2.0)}};
  const CollectiveFlow merged = merge(flows);
  ASSERT_EQ(merged.route.size(), 3U);
  EXPECT_EQ(merged.route[0].coefficient, 1.0);
  EXPECT_EQ(merged.route[1].link, 2);
  EXPECT_EQ(merged.route[2].coefficient, 2.5);
  EXPECT_EQ(merged.latency.base(), 3.0);
  EXPECT_EQ(merged.ceiling, 8.0);
}

TEST(InSequence, TakesTheTimesOfBothOneAfterTheOther) {
  const CollectiveFlow first{
      .route = {{0, 1.0}}, .latency = core::Duration::from_base(1.0), .ceiling = 2.0};
  const CollectiveFlow second{
      .route = {{0, 2.0}, {3, 1.0}}, .latency = core::Duration::from_base(0.5), .ceiling = 6.0};
  const CollectiveFlow both = in_sequence(first, second);
  ASSERT_EQ(both.route.size(), 2U);
  EXPECT_EQ(both.route[0].coefficient, 3.0);
  EXPECT_EQ(both.latency.base(), 1.5);
  EXPECT_DOUBLE_EQ(60.0 / both.ceiling, 60.0 / 2.0 + 60.0 / 6.0);
}

TEST(IsolatedTime, IsLatencyAndTheBusiestLinkOrTheCeiling) {
  CollectiveFlow flow{.route = {{0, 1.0}, {1, 3.0}}, .latency = core::Duration::from_base(0.5)};
  const std::vector<double> capacity{10.0, 40.0};
  EXPECT_DOUBLE_EQ(isolated_time(flow, 100.0, capacity).base(), 0.5 + 10.0);
  flow.ceiling = 5.0;
  EXPECT_DOUBLE_EQ(isolated_time(flow, 100.0, capacity).base(), 0.5 + 20.0);
}

}  // namespace
}  // namespace railwright::models
