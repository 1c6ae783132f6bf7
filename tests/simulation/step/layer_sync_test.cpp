// SPDX-License-Identifier: Apache-2.0
// ZeRO-3 and reductions of every micro-batch: steps whose time can be written down.
#include <gtest/gtest.h>

#include "equal_stages.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

using test::equal_stages;

constexpr int kLayers = 6;
constexpr int kMicrobatches = 5;

/// Gathers on one link and reductions on another, so many milliseconds for each layer.
StepCosts sharded(double gather, double reduce) {
  StepCosts costs = equal_stages(1, 1, kMicrobatches, kLayers);
  costs.has_replicas = true;
  costs.gathers_parameters = true;
  costs.gathers_every_pass = true;
  costs.reduces_every_microbatch = true;
  costs.overlap_gradient_reduce = true;
  costs.overlap_parameter_gather = true;
  costs.capacity = {1e9, 1e9};
  ParameterSync& sync = costs.stages[0].syncs.emplace_back();
  sync.parameter_gather.route = {{0, gather}};
  sync.gradient_sync.route = {{1, reduce}};
  for (int layer = kLayers - 1; layer >= 0; --layer) {
    sync.buckets.push_back({1'000'000, 1'000'000, layer, layer});
  }
  return costs;
}

double simulated(const StepCosts& costs) { return simulate_step(costs).step_time.base(); }
double estimated(const StepCosts& costs) { return estimate_step(costs).total().base(); }

TEST(LayerSync, ShortGathersHideBehindTheLayerBefore) {
  // 1 ms forward and 2 ms backward a layer; the first gather and the last reduction stand alone.
  const StepCosts costs = sharded(0.5, 0.25);
  const double expected = 0.003 * kLayers * kMicrobatches + 0.0005 + 0.00025;
  EXPECT_NEAR(simulated(costs), expected, 1e-9);
  EXPECT_NEAR(estimated(costs), expected, 1e-9);
}

/// For each millisecond of computation beside a gather or a reduction, a third of it is lost.
TEST(LayerSync, ComputationBesideThemIsSlower) {
  StepCosts costs = sharded(0.5, 0.25);
  const double before = simulated(costs);
  costs.overlap_slowdown = 1.5;
  // All passes but the last backward one have a gather beside them, all but the first backward one
  // a reduction, which is shorter and beside the next gather.
  const double lost = (1.0 - 1.0 / 1.5) * 0.0005;
  const double simulated_loss = simulated(costs) - before;
  const double estimated_loss = estimated(costs) - before;
  EXPECT_NEAR(simulated_loss, lost * (2 * kLayers * kMicrobatches - 1), lost);
  EXPECT_NEAR(estimated_loss, simulated_loss, 2 * lost);
  // Computation takes most of what a pass is slowed where gathers last longer than it.
  StepCosts long_gathers = sharded(0.9, 0.0);
  const double alone = simulated(long_gathers);
  long_gathers.overlap_slowdown = 1.5;
  EXPECT_NEAR(simulated(long_gathers) - alone, 0.3e-3 * 2 * kLayers * kMicrobatches, 1e-3);
}

TEST(LayerSync, LongGathersFollowOneAnother) {
  const StepCosts costs = sharded(4.0, 0.25);
  const double gathers = 0.004 * 2 * kLayers * kMicrobatches;
  EXPECT_NEAR(simulated(costs), gathers + 0.002 + 0.00025, 1e-9);
  EXPECT_NEAR(estimated(costs), gathers + 0.004 + 0.00025, 1e-9);
}

/// The gather of the next layer goes on beside the reduction of the last one.
TEST(LayerSync, WithoutOverlapEveryGatherAndTheLastReductionAreWaitedFor) {
  StepCosts costs = sharded(0.5, 0.25);
  costs.overlap_gradient_reduce = false;
  costs.overlap_parameter_gather = false;
  const double expected = (0.003 + 2 * 0.0005) * kLayers * kMicrobatches + 0.00025;
  EXPECT_NEAR(simulated(costs), expected, 1e-9);
  EXPECT_NEAR(estimated(costs), expected, 1e-9);
}

TEST(LayerSync, CarriesEachLayerTwiceAndItsGradientsOnceAMicrobatch) {
  const StepResult result = simulate_step(sharded(0.5, 0.25));
  EXPECT_DOUBLE_EQ(result.link_bytes[0], 0.5 * 2 * kLayers * kMicrobatches * 1e6);
  EXPECT_DOUBLE_EQ(result.link_bytes[1], 0.25 * kLayers * kMicrobatches * 1e6);
}

TEST(LayerSync, GatheringAndReducingNothingLeavesTheStepAlone) {
  StepCosts costs = sharded(0.0, 0.0);
  EXPECT_NEAR(simulated(costs), 0.003 * kLayers * kMicrobatches, 1e-9);
}

/// 2 ms of calls a layer and direction, of which `beside` ms of computation hide some.
StepCosts calling(double beside_ms) {
  StepCosts costs = equal_stages(1, 1, kMicrobatches, kLayers);
  costs.capacity = {1e9};
  GroupCalls& calls = costs.calls[static_cast<std::size_t>(LayerCall::kContext)];
  calls.bytes = 1'000'000;
  calls.flows.resize(1);
  calls.flows[0].route = {{0, 2.0}};
  for (auto* passes : {&costs.stages[0].forward, &costs.stages[0].backward}) {
    for (LayerPass& pass : *passes) {
      pass.calls[static_cast<std::size_t>(LayerCall::kContext)] = 1.0;
      pass.beside[static_cast<std::size_t>(LayerCall::kContext)].matrix =
          core::Duration::from_base(beside_ms * 1e-3);
    }
  }
  return costs;
}

TEST(Calls, AreWaitedForBehindTheComputationTheyGoAlongWith) {
  for (const double beside : {0.0, 0.5, 1.0}) {
    const StepCosts costs = calling(beside);
    const double layer = 0.003 + 2 * (0.002 - beside * 1e-3);
    EXPECT_NEAR(simulated(costs), layer * kLayers * kMicrobatches, 1e-9) << beside;
    EXPECT_NEAR(estimated(costs), layer * kLayers * kMicrobatches, 1e-9) << beside;
    const Breakdown breakdown = simulate_step(costs).breakdown;
    EXPECT_NEAR(breakdown[Cause::kContextParallel].base(),
                2 * (0.002 - beside * 1e-3) * kLayers * kMicrobatches, 1e-9);
    EXPECT_NEAR(breakdown[Cause::kMatrixProducts].base(), 0.003 * kLayers * kMicrobatches, 1e-9);
  }
}

TEST(Overhead, IsAddedToTheStep) {
  StepCosts costs = equal_stages(2, 1, 4, 2);
  const double before = simulated(costs);
  costs.overhead = core::Duration::from_base(0.125);
  EXPECT_NEAR(simulated(costs) - before, 0.125, 1e-12);
  EXPECT_NEAR(simulate_step(costs).breakdown.total().base(), simulated(costs), 1e-9);
}

}  // namespace
}  // namespace railwright::simulation
