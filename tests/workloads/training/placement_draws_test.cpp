// SPDX-License-Identifier: Apache-2.0
// A step on scattered nodes is a mean over draws of their places, and finer fabrics are no slower.
#include <gtest/gtest.h>

#include <string>

#include "../../support/scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

/// Sharded parameters on 32 of 128 nodes: what the network loses is seen in every gather.
CheckedScenario scattered(int seed, int oversubscription, const test::Settings& more = {}) {
  return test::scenario(test::join(
      {"workload.model=llama-2-7b", "workload.global_batch=256", "cluster.nodes=32",
       "cluster.node.nics.count=8", "cluster.storage.switch=z9432f-on-128x100g",
       "parallelism={tp: 1, pp: 1}", "software.zero_stage=3",
       "cluster.fabric={topology: rail_optimized, switch: qm9790, oversubscription: " +
           std::to_string(oversubscription) + "}",
       "cluster.placement={order: scattered, of_nodes: 128, seed: " + std::to_string(seed) + "}"},
      more));
}

TEST(PlacementDraws, AFinerFabricIsNoSlowerWhateverTheSeed) {
  for (int seed = 1; seed <= 6; ++seed) {
    core::Duration finer;
    for (const int oversubscription : {1, 2, 4}) {
      const SimulationResult result = simulate(scattered(seed, oversubscription));
      ASSERT_TRUE(result.feasible()) << result.infeasible.front().what;
      EXPECT_GE(result.step_time, finer) << "seed " << seed << ", " << oversubscription << ":1";
      finer = result.step_time;
    }
  }
}

TEST(PlacementDraws, AStepIsTheirMeanAndLiesBetweenThem) {
  const SimulationResult result = simulate(scattered(1, 4));
  ASSERT_TRUE(result.placement.has_value());
  EXPECT_EQ(result.placement->num_draws, 32);
  EXPECT_LT(result.placement->low, result.step_time);
  EXPECT_GT(result.placement->high, result.step_time);
  EXPECT_GE(result.placement->typical_step, result.placement->low);
  EXPECT_LE(result.placement->typical_step, result.placement->high);
  EXPECT_NEAR(result.breakdown.total() / result.step_time, 1.0, 1e-12);
  const SimulationResult again = simulate(scattered(1, 4));
  EXPECT_EQ(again.step_time, result.step_time);
}

TEST(PlacementDraws, PackedNodesAndSpreadPacketsHaveNoneToTell) {
  EXPECT_FALSE(simulate(scattered(1, 1, {"cluster.placement.order=packed"})).placement);
  const SimulationResult adaptive = simulate(scattered(1, 1, {"cluster.routing.policy=adaptive"}));
  ASSERT_TRUE(adaptive.placement.has_value());
  EXPECT_LT(adaptive.placement->high / adaptive.placement->low, 1.01);
}

}  // namespace
}  // namespace railwright::simulation
