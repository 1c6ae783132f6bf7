// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "../../support/scenario.hpp"
#include "../memory_line.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/breakdown.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::models {
namespace {

using test::line;

constexpr double kLayer = 4.0 * 4096 * 4096 + 3.0 * 4096 * 11008 + 2 * 4096;
constexpr double kTable = 32000.0 * 4096;

test::Settings frozen(int layers) { return {"workload.frozen_layers=" + std::to_string(layers)}; }

TEST(FrozenLayers, TrainWhatStandsAboveThem) {
  const Training training = test::scenario(frozen(24)).scenario.workload;
  EXPECT_DOUBLE_EQ(static_cast<double>(num_trained_parameters(training)),
                   8 * kLayer + kTable + 4096);
}

/// 6 operations a token and parameter above, 2 below, where attention has its forward pass alone.
TEST(FrozenLayers, HaveAForwardPassAlone) {
  const Training training = test::scenario(frozen(24)).scenario.workload;
  const double matrices = kLayer - 2 * 4096;
  const double attention = 4.0 * 4096 * 4096;
  EXPECT_DOUBLE_EQ(training_work_per_step(training).base() / tokens_per_step(training),
                   (8 * 3 + 24) * (2 * matrices + attention) + 6 * kTable);
}

TEST(FrozenLayers, KeepNoStateAndNoActivations) {
  const auto use = [](const test::Settings& settings) {
    const auto checked = test::scenario(settings);
    return memory_of_stage(checked.scenario.workload, checked.layout, checked.scenario.software, 0);
  };
  const MemoryUse all = use({});
  const MemoryUse upper = use(frozen(24));
  const double trained = (8 * (kLayer - 2 * 4096) + kTable) / 2 + (2 * 8 + 1) * 4096;
  EXPECT_DOUBLE_EQ(line(upper, "parameters"), line(all, "parameters"));
  EXPECT_DOUBLE_EQ(line(upper, "gradients"), 4 * trained);
  EXPECT_DOUBLE_EQ(line(upper, "optimizer_state"), 12 * trained / 8);
  EXPECT_DOUBLE_EQ(line(upper, "activations"), line(all, "activations") / 4);
}

/// Of three passes of 32 layers, 24 + 3 * 8 are left; a third of the gradients is exchanged.
TEST(FrozenLayers, EndTheBackwardPass) {
  const test::BuiltScenario all(test::overlaps(false));
  const test::BuiltScenario upper(test::join(test::overlaps(false), frozen(24)));
  const auto& backward = upper.costs.stages[0].backward;
  EXPECT_EQ(backward[23].compute.total(), core::Duration{});
  EXPECT_EQ(backward[24].compute.total(), all.costs.stages[0].backward[24].compute.total());
  EXPECT_EQ(upper.costs.stages[0].forward[0].compute.total(),
            all.costs.stages[0].forward[0].compute.total());
  const auto step = simulation::simulate_step(upper.costs);
  const auto whole = simulation::simulate_step(all.costs);
  EXPECT_NEAR(step.breakdown.total() / whole.breakdown.total(), 0.5, 0.05);
  EXPECT_NEAR(simulation::estimate_step(upper.costs).total() / step.breakdown.total(), 1.0, 0.02);
}

/// With ZeRO-3, frozen layers are gathered for their forward pass alone: 40 gathers for 64, of
/// which those without gradients take fewer calls.
TEST(FrozenLayers, AreGatheredOnceAMicroBatch) {
  const test::Settings sharded = test::join(
      test::overlaps(false), {"software.zero_stage={value: 3, source: test}", "parallelism.tp=1",
                              "workload.micro_batch=1", "software.recompute=full"});
  const test::BuiltScenario all(sharded);
  const test::BuiltScenario upper(test::join(sharded, frozen(24)));
  const auto gather = [](const test::BuiltScenario& built) {
    return simulation::simulate_step(built.costs).breakdown[simulation::Cause::kParameterGather];
  };
  EXPECT_GT(gather(upper) / gather(all), 0.5);
  EXPECT_LT(gather(upper) / gather(all), 0.65);
  const auto step = simulation::simulate_step(upper.costs);
  EXPECT_NEAR(simulation::estimate_step(upper.costs).total() / step.breakdown.total(), 1.0, 0.02);
}

TEST(FrozenLayers, LeaveLowerStagesTheirForwardPasses) {
  const test::Settings stages{"parallelism.tp=1", "parallelism.pp=4"};
  const test::BuiltScenario all(stages);
  const test::BuiltScenario upper(test::join(stages, frozen(16)));
  EXPECT_EQ(upper.costs.stages[1].backward[0].compute.total(), core::Duration{});
  EXPECT_EQ(upper.costs.stages[2].backward[0].compute.total(),
            all.costs.stages[2].backward[0].compute.total());
  EXPECT_LT(simulation::simulate_step(upper.costs).step_time,
            simulation::simulate_step(all.costs).step_time);
}

TEST(FrozenLayers, LeaveSomeToTrain) {
  EXPECT_THROW(test::scenario(frozen(32)), core::ConfigError);
  EXPECT_THROW(test::scenario(test::join(frozen(8), {"workload.lora={rank: 8}"})),
               core::ConfigError);
}

}  // namespace
}  // namespace railwright::models
