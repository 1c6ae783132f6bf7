// SPDX-License-Identifier: Apache-2.0
// What transports, hashing and reducing switches make of a collective.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "members.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::models {
namespace {

constexpr double kKibibyte = 1024.0;

/// The same switch for all, whatever its ports speak.
test::BuiltScenario over(const std::string& transport) {
  const bool is_ethernet = transport == "efa" || transport == "roce";
  const std::string protocol = is_ethernet ? "ethernet" : "infiniband";
  return test::BuiltScenario({"cluster.node.nics.transport=" + transport,
                              "cluster.fabric.switch={model: qm9790, link_protocol: {value: " +
                                  protocol + ", source: test}}"});
}

CollectiveFlow send(const test::BuiltScenario& system, double bytes) {
  return Communicator(system.built.fabric, {0, 8}, system.checked.scenario.software.collectives)
      .flow(CollectiveOp::kSendReceive, bytes,
            {CollectiveAlgorithm("pairwise"), CollectiveProtocol::kSimple});
}

// A NIC of 50 GB/s, and a send in messages of half a chunk on the two channels of a member.
TEST(Transport, MessagesCostTheirNicHalfSizeMore) {
  const auto system = over(
      "{name: t, description: t, efficiency: {value: 1, source: t}, half_size: {value: 64 KiB, "
      "source: t}, latency: {value: 0 us, source: t}, host_cost: {value: 0 ns/B, source: t}}");
  const double channels = 4.0;
  for (const double bytes : {256.0 * kKibibyte, 4096.0 * kKibibyte}) {
    const double message = bytes / channels / 2.0;
    EXPECT_NEAR(send(system, bytes).ceiling, 50e9 * message / (message + 64.0 * kKibibyte), 1.0);
  }
  const double largest = 1024.0 * kKibibyte;
  EXPECT_NEAR(send(system, 1e9).ceiling, 50e9 * largest / (largest + 64.0 * kKibibyte), 1.0);
}

TEST(Transport, TcpIsLimitedByTheCoresThatMoveItsData) {
  // Four channels, a core each, 0.19 ns a byte.
  EXPECT_NEAR(send(over("tcp"), 1e9).ceiling, 4.0 / 0.19e-9, 1e3);
  EXPECT_GT(send(over("infiniband"), 1e9).ceiling, 4.5e10);
}

TEST(Transport, EfaAndTcpTakeLongerToStartThanInfiniBand) {
  const double infiniband = send(over("infiniband"), 1.0).latency.base();
  // The way counts twice with Simple.
  EXPECT_NEAR(send(over("efa"), 1.0).latency.base() - infiniband, 2 * 13e-6, 1e-9);
  EXPECT_NEAR(send(over("tcp"), 1.0).latency.base() - infiniband, 2 * 10e-6, 1e-9);
}

// Sixteen nodes, eight uplinks of a leaf: each of a pair's connections draws an uplink by itself,
// so k connections of one NIC to one other hold 8 (1 - (7/8)^k) uplinks in the mean.
TEST(Hashing, ConnectionsFallOnUplinksLikeBallsIntoBins) {
  for (const int connections : {1, 2, 4}) {
    double used = 0.0;
    constexpr int kSeeds = 300;
    test::BuiltScenario system(
        {"cluster.nodes=16", "workload.global_batch=512", "cluster.routing.policy=ecmp",
         "cluster.fabric={topology: leaf_spine, switch: qm9790, num_leaves: 4, num_spines: 8}"});
    CollectiveTuning tuning = system.checked.scenario.software.collectives;
    tuning.connections_per_nic.value = connections;
    core::Fabric& fabric = system.built.fabric;
    int num_uplinks = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      fabric.set_routing({core::Routing::kEcmp, static_cast<std::uint64_t>(seed)});
      const CollectiveFlow flow =
          Communicator(fabric, {0, 64}, tuning).flow(CollectiveOp::kSendReceive, 1e9);
      double carried = 0.0;
      num_uplinks = 0;
      for (const core::LinkUse& use : flow.route) {
        const core::Link& link = fabric.links()[static_cast<std::size_t>(use.link)];
        const auto& from = fabric.vertices()[static_cast<std::size_t>(link.from)];
        if (link.tier != core::Tier::kFabric || from.level != 0) continue;
        carried += use.coefficient;
        used += 1.0;
      }
      EXPECT_NEAR(carried, 1.0, 1e-12);
    }
    for (const core::Link& link : fabric.links()) {
      const auto& from = fabric.vertices()[static_cast<std::size_t>(link.from)];
      num_uplinks += link.tier == core::Tier::kFabric && from.level == 0 && from.local_index == 0;
    }
    const double bins = num_uplinks;
    const double expected = bins * (1.0 - std::pow(1.0 - 1.0 / bins, connections));
    // Five standard deviations of a mean over the seeds; one draw varies by less than 1.
    EXPECT_NEAR(used / kSeeds, expected, 5.0 / std::sqrt(kSeeds)) << connections;
  }
}

test::BuiltScenario with_switch(const std::string& model, const std::string& transport) {
  return test::BuiltScenario(
      {"software.collectives={model: nccl-2.30, in_network_reduction: "
       "{value: true, source: test}}",
       "cluster.fabric.switch=" + model, "cluster.node.nics.transport=" + transport});
}

TEST(Reduction, RunsOnlyWhereAllSwitchesReduce) {
  const auto choice = [](const test::BuiltScenario& system) {
    CollectiveTuning tuning = system.checked.scenario.software.collectives;
    tuning.all_reduce_algorithm.value = CollectiveAlgorithm("collnet");
    return Communicator(system.built.fabric, test::data_parallel_group(2, 1, 0), tuning)
        .choice(CollectiveOp::kAllReduce, 1e9)
        .algorithm;
  };
  EXPECT_EQ(choice(with_switch("qm9790", "infiniband")), CollectiveAlgorithm("collnet"));
  EXPECT_NE(choice(with_switch("z9664f-on", "roce")), CollectiveAlgorithm("collnet"));
}

TEST(Reduction, IsInfeasibleOnSwitchesThatDoNot) {
  EXPECT_TRUE(simulation::simulate(with_switch("qm9790", "infiniband").checked).feasible());
  const auto result = simulation::simulate(with_switch("z9664f-on", "roce").checked);
  ASSERT_FALSE(result.feasible());
  EXPECT_NE(result.infeasible[0].what.find("leaf 0 does not"), std::string::npos)
      << result.infeasible[0].what;
}

TEST(Reduction, CollNetByNameNeedsTheLibrarysWord) {
  const test::BuiltScenario system({});
  CollectiveTuning tuning = system.checked.scenario.software.collectives;
  EXPECT_EQ(missing_reduction(system.built.fabric, tuning), "");
  tuning.all_reduce_algorithm.value = CollectiveAlgorithm("collnet");
  EXPECT_NE(missing_reduction(system.built.fabric, tuning), "");
}

}  // namespace
}  // namespace railwright::models
